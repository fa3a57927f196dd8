// @ts-check
// The log, each line a link to its position, and the news: what happened since one's own last turn, the newest first.
//
// Events: "go" (to the ply of a line), "look" (the ply of the line that is pointed at, or null) and "again" (show all
// from this ply on).

import { inkOn } from "../../lib/colour.js";
import { button, make, part, replaceContent } from "../../lib/dom.js";
import { Emitter } from "../../lib/emitter.js";
import { unbroken } from "../../lib/text.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../wire").RenderedLine} Line */

const LEAST_MORE = 6; // pixels below the news that are worth a sign: less than a line

/** @extends {Emitter<{go: number, look: number | null, again: number}>} */
export class Log extends Emitter {
  #list = part("log");
  #news = part("news");
  #again = part("news-again", HTMLButtonElement);
  #more = part("news-more", HTMLButtonElement);
  #spoken = part("spoken");
  /** @type {Line[]} */
  #lines = [];
  /** @type {View | null} */
  #view = null;
  #isLive = true;
  /** @type {Map<number, import("./played.js").Mark>} by ply: its mark on the board */
  #marks = new Map();

  constructor() {
    super();
    this.#again.addEventListener("click", () => this.emit("again", this.#view?.since ?? 0));
    this.#more.addEventListener("click", () => this.#news.scrollBy(0, this.#news.clientHeight));
    this.#news.addEventListener("scroll", () => this.#showMore());
    new ResizeObserver(() => this.#showMore()).observe(this.#news);
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
   * @param {Line} line
   */
  #item({ ply, text }) {
    const look = () => this.emit("look", ply);
    const leave = () => this.emit("look", null);
    const line = button(unbroken(text), () => this.emit("go", ply), {
      onfocus: look,
      onblur: leave,
      "data-key": `${ply} ${text}`,
    });
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
   * Number the news as their moves are numbered on the board.
   * @param {Map<number, import("./played.js").Mark>} marks
   */
  number(marks) {
    this.#marks = marks;
    for (const item of this.#news.querySelectorAll("li")) this.#numberItem(item);
    requestAnimationFrame(() => this.#scrollNews());
  }

  /**
   * All of it, one short sentence each, every one a way to its position.
   * @param {Line[]} news
   */
  #tell(news) {
    const items = newestFirst(news).map(({ ply, text, short }) => this.#item({ ply, text: short ?? text }));
    for (const item of items) this.#numberItem(item);
    replaceContent(this.#news, ...items);
    requestAnimationFrame(() => this.#scrollNews()); // not before the rest of the page is laid out
    this.#again.hidden = news.length === 0 || news[0]?.ply === news.at(-1)?.ply;
  }

  /** Begin with the newest where there is no room for all. */
  #scrollNews() {
    this.#news.scrollTo(0, 0);
    this.#showMore();
  }

  /** Show that the news go on below. */
  #showMore() {
    const { scrollTop, clientHeight, scrollHeight } = this.#news;
    this.#more.hidden = scrollHeight - clientHeight - scrollTop < LEAST_MORE;
  }

  /** @param {HTMLElement} item */
  #numberItem(item) {
    item.querySelector(".number")?.remove();
    const ply = Number(item.dataset.ply);
    const mark = this.#marks.get(ply);
    const previous = item.previousElementSibling;
    if (!mark || (previous instanceof HTMLElement && previous.dataset.ply === item.dataset.ply)) return;
    const number = make("span", { class: "number" }, mark.number);
    number.style.setProperty("--seat", mark.colour);
    number.style.setProperty("--on-seat", inkOn(mark.colour));
    item.prepend(number);
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
    const last = isLive ? (this.#view?.since ?? null) : null;
    const since = last === null ? [] : lines.filter((line) => line.ply > last);
    return since.length > 0 ? since : lines.filter((line) => line.ply === lines.at(-1)?.ply);
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
 * How many lines at the start are the same.
 * @param {Line[]} old
 * @param {Line[]} lines
 */
function commonStart(old, lines) {
  const end = old.findIndex(({ ply, text }, place) => lines[place]?.ply !== ply || lines[place]?.text !== text);
  return end < 0 ? old.length : end;
}

/**
 * Lines by ply, the newest first; those of one ply stay in their order.
 * @param {Line[]} lines
 */
function newestFirst(lines) {
  return lines.toSorted((one, two) => two.ply - one.ply);
}
