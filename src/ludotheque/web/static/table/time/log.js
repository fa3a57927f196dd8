// @ts-check
// The log, each line a link to its position.
//
// Events: "go" (to the ply of a line), "look" (the ply of the line that is pointed at, or null) and "news" (the lines of
// what happened since one's own last turn).

import { Sentences } from "../../board/sentence.js";
import { button, make, part } from "../../lib/dom.js";
import { Emitter } from "../../lib/emitter.js";
import { newsAt } from "./turns.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../wire").RenderedLine} Line */

/** @extends {Emitter<{go: number, look: number | null, news: Line[]}>} */
export class Log extends Emitter {
  #list = part("log");
  #spoken = part("spoken");
  /** @type {Line[]} */
  #lines = [];
  /** @type {View | null} */
  #view = null;
  #isLive = true;
  #sentences;

  /** @param {import("../../board/board.js").Board} board */
  constructor(board) {
    super();
    this.#sentences = new Sentences(board);
  }

  /**
   * Add what is new to the log.
   * @param {View} view
   */
  follow(view) {
    this.#view = view;
    this.#update(view.log);
  }

  /**
   * Show the log of a line of moves that were not played; null: that of the game again.
   * @param {import("../../board/game_line.js").GameLine | null} line
   */
  followLine(line) {
    if (!this.#view) return;
    const { log } = this.#view;
    this.#update(line ? [...log.filter(({ ply }) => ply <= line.start), ...line.log] : log, false);
  }

  /**
   * A line: pointing at it marks the move on the board, pressing it goes to its position.
   * @param {Line} told
   */
  #item(told) {
    const { ply, text } = told;
    const look = () => this.emit("look", ply);
    const leave = () => this.emit("look", null);
    const line = button("", () => this.emit("go", ply), {
      onfocus: look,
      onblur: leave,
      "data-key": `${ply} ${text}`,
    });
    line.append(...this.#sentences.contentOf(told));
    return make("li", { "data-ply": ply, onmouseenter: look, onmouseleave: leave }, line);
  }

  /**
   * Replace the lines that changed; what was there already stays.
   * @param {Line[]} lines
   * @param {boolean} [aloud] whether to say the new ones
   */
  #update(lines, aloud = true) {
    const same = commonStart(this.#lines, lines);
    const fresh = lines.slice(same);
    while (this.#list.children.length > same) this.#list.lastChild?.remove();
    this.#list.append(...fresh.map((line) => this.#item(line)));
    if (this.#lines.length !== lines.length) requestAnimationFrame(() => this.scrollToEnd());
    if (aloud && this.#lines.length > 0) this.#spoken.replaceChildren(...fresh.map((line) => make("p", {}, line.text)));
    this.#lines = lines;
  }

  /**
   * Mark the lines of a position and of what comes later.
   * @param {number} at the ply that the board shows
   * @param {boolean} isLive whether that is the present
   */
  mark(at, isLive) {
    this.#isLive = isLive;
    const news = newsAt(this.#lines, at, isLive ? (this.#view?.since ?? null) : null);
    const since = news[0]?.ply ?? Number.POSITIVE_INFINITY;
    for (const line of this.#items()) {
      const ply = Number(line.dataset.ply);
      line.classList.toggle("later", ply > at);
      line.classList.toggle("fresh", ply >= since && ply <= at);
    }
    this.emit("news", news);
    if (!isLive) this.#scrollTo(this.#items().find((line) => line.classList.contains("fresh")));
  }

  /** @returns {HTMLElement[]} */
  #items() {
    return [...this.#list.querySelectorAll("li")];
  }

  /** Scroll the log to its last line, in the present. */
  scrollToEnd() {
    if (this.#isLive) this.#list.scrollTop = this.#list.scrollHeight;
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
 * The number of lines at the start that are the same.
 * @param {Line[]} old
 * @param {Line[]} lines
 */
function commonStart(old, lines) {
  const end = old.findIndex(({ ply, text }, place) => lines[place]?.ply !== ply || lines[place]?.text !== text);
  return end < 0 ? old.length : end;
}
