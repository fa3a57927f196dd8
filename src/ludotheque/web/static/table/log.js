// @ts-check
// The log, each line a link to its position, and the news: what happened since one's own last turn.
//
// Event: "go" (to the ply of a line).

import { button, make, part } from "../lib/dom.js";
import { Emitter } from "../lib/emitter.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../wire").RenderedLine} Line */

/** @extends {Emitter<{go: number}>} */
export class Log extends Emitter {
  #list = part("log");
  #news = part("news");
  #spoken = part("spoken");
  /** @type {Line[]} */
  #lines = [];
  /** @type {View | null} */
  #view = null;
  /** @type {Map<number, number>} by seat at this screen: the ply with which its last turn ended */
  #turns = new Map();

  /**
   * Add what is new to the log.
   * @param {View} view
   */
  follow(view) {
    const before = this.#view;
    if (before?.mine.includes(before.to_move) && before.to_move !== view.to_move) {
      this.#turns.set(before.to_move, before.last_ply + 1);
    }
    this.#view = view;
    this.#update(view.log);
  }

  /**
   * Replace the lines that changed; what was there already stays.
   * @param {Line[]} lines
   */
  #update(lines) {
    const same = commonStart(this.#lines, lines);
    const fresh = lines.slice(same);
    while (this.#list.children.length > same) this.#list.lastChild?.remove();
    this.#list.append(
      ...fresh.map(({ ply, text }) =>
        make(
          "li",
          { "data-ply": ply },
          button(text, () => this.emit("go", ply)),
        ),
      ),
    );
    if (this.#lines.length !== lines.length) this.#list.scrollTop = this.#list.scrollHeight;
    if (this.#lines.length > 0) this.#spoken.replaceChildren(...fresh.map((line) => make("p", {}, line.text)));
    this.#lines = lines;
  }

  /**
   * Mark the lines of a position and of what comes later.
   * @param {number} at the ply that the board shows
   * @param {boolean} isLive whether that is the present
   */
  mark(at, isLive) {
    const news = this.#newsAt(at, isLive);
    const since = news[0]?.ply ?? Number.POSITIVE_INFINITY;
    for (const line of this.#items()) {
      const ply = Number(line.dataset.ply);
      line.classList.toggle("later", ply > at);
      line.classList.toggle("fresh", ply >= since && ply <= at);
    }
    this.#tell(news);
    if (!isLive) this.#scrollTo(this.#items().find((line) => line.classList.contains("fresh")));
  }

  /**
   * All of it, one sentence each, every one a way to its position.
   * @param {Line[]} news
   */
  #tell(news) {
    const lines = news.map(({ ply, text }) => button(text, () => this.emit("go", ply)));
    this.#news.replaceChildren(...lines.map((line) => make("li", {}, line)));
    this.#news.scrollTop = 0;
  }

  /** @returns {HTMLElement[]} */
  #items() {
    return [...this.#list.querySelectorAll("li")];
  }

  /**
   * The lines of a ply; in the present, all since one's own last turn.
   * @param {number} at
   * @param {boolean} isLive
   */
  #newsAt(at, isLive) {
    const lines = this.#lines.filter((line) => line.ply <= at);
    const mine = isLive && this.#view ? this.#turns.get(this.#view.viewer) : undefined;
    const since = mine === undefined ? [] : lines.filter((line) => line.ply > mine);
    return since.length > 0 ? since : lines.filter((line) => line.ply === lines.at(-1)?.ply);
  }

  /**
   * Scroll the log, and only the log, until a line is in sight.
   * @param {HTMLElement | undefined} line
   */
  #scrollTo(line) {
    if (!line) return;
    const list = this.#list;
    const above = line.offsetTop - list.offsetTop - list.scrollTop;
    if (above < 0 || above + line.offsetHeight > list.clientHeight) list.scrollTop += above - list.clientHeight / 2;
  }
}

/**
 * How many lines at the start are the same.
 * @param {Line[]} old
 * @param {Line[]} lines
 */
function commonStart(old, lines) {
  const end = old.findIndex(({ ply, text }, place) => lines[place]?.ply !== ply || lines[place]?.text !== text);
  return end < 0 ? old.length : end;
}
