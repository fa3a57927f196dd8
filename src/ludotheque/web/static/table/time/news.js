// @ts-check
// The news: what happened since one's own last turn, the newest first. Each turn is one line with the colour of its
// player, what they did, a picture of it, and what it earned.
//
// Events: "look" (the plies of the line that is pointed at, or null) and "again" (show all from this ply on).

import { pictureOf, showPicture } from "../../board/picture.js";
import { button, make, part, replaceContent } from "../../lib/dom.js";
import { Emitter } from "../../lib/emitter.js";
import { unbroken } from "../../lib/text.js";
import { gainChips } from "../gain_chips.js";
import { turnsOf } from "./turns.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("./turns.js").Turn} Turn */
/** @typedef {import("../../wire").PlayedMove} PlayedMove */

const LEAST_MORE = 6; // pixels below the news that are worth a sign: less than a line

/** @extends {Emitter<{look: {since: number, until: number} | null, again: number}>} */
export class News extends Emitter {
  #list = part("news");
  #again = part("news-again", HTMLButtonElement);
  #more = part("news-more", HTMLButtonElement);
  /** @type {View | null} */
  #view = null;
  /** @type {Turn[]} */
  #turns = [];
  /** @type {import("./played.js").Shown} what is drawn on the board of the moves that are told */
  #shown = { moves: [], numbers: new Map() };
  /** @type {[HTMLElement, PlayedMove[]][]} pictures that are not drawn yet, with their moves */
  #undrawn = [];
  #isReady = false; // whether the board can be drawn
  #isShowDue = false;
  #isLayOutDue = false;

  /** @param {import("../../board/board.js").Board} board */
  constructor(board) {
    super();
    this.board = board;
    this.#again.addEventListener("click", () => this.emit("again", this.#view?.since ?? 0));
    this.#more.addEventListener("click", () => this.#list.scrollBy(0, this.#list.clientHeight));
    this.#list.addEventListener("scroll", () => this.#showMore());
    new ResizeObserver(() => this.#showMore()).observe(this.#list);
    board.ready.then(() => {
      this.#isReady = true;
      this.#layOutSoon();
    });
  }

  /** @param {View} view */
  follow(view) {
    this.#view = view;
  }

  /**
   * Tell what these lines of the log say.
   * @param {import("../../wire").RenderedLine[]} lines
   */
  tell(lines) {
    this.#turns = turnsOf(lines);
    const hasMoves = this.#turns.some(({ seat }) => seat !== null); // more than what was dealt at the beginning
    this.#again.hidden = !hasMoves || lines[0]?.ply === lines.at(-1)?.ply;
    this.#showSoon();
  }

  /**
   * Add to the lines how their moves are numbered on the board, what they look like, and what they earned.
   * @param {import("./played.js").Shown} shown
   */
  illustrate(shown) {
    this.#shown = shown;
    this.#showSoon();
  }

  /** Show the lines once for all that comes in one task: what they tell, and mostly what illustrates them. */
  #showSoon() {
    if (this.#isShowDue) return;
    this.#isShowDue = true;
    queueMicrotask(() => this.#show());
  }

  #show() {
    this.#isShowDue = false;
    this.#undrawn = [];
    replaceContent(this.#list, ...this.#turns.toReversed().map((turn) => this.#item(turn)));
    this.#layOutSoon();
  }

  /** Lay out the lines with the next frame: not before the rest of the page is laid out, nor more than once. */
  #layOutSoon() {
    if (this.#isLayOutDue) return;
    this.#isLayOutDue = true;
    requestAnimationFrame(() => this.#layOut());
  }

  /**
   * Begin with the newest, draw the pictures, and give the room of two lines to what is too long for one. All is measured
   * before anything changes, and again with the next frame: else the page would be laid out more than once in this one.
   */
  #layOut() {
    this.#isLayOutDue = false;
    const long = [...this.#list.children].filter((item) => isCut(item.querySelector(".words")));
    const pictures = this.#isReady ? this.#undrawn.splice(0).map(([host, moves]) => this.#drawn(host, moves)) : [];
    this.#list.scrollTo(0, 0);
    for (const item of long) item.classList.add("long");
    for (const { host, picture } of pictures) if (picture) showPicture(host, this.board, picture);
    requestAnimationFrame(() => this.#showMore());
  }

  /** @param {Turn} turn */
  #item(turn) {
    const { seat, first, last, words } = turn;
    const plies = { since: first - 1, until: last };
    const look = () => this.emit("look", plies);
    const leave = () => this.emit("look", null);
    const moves = this.#shown.moves.filter(({ ply }) => first <= ply && ply <= last);
    const line = button("", look, { onfocus: look, onblur: leave, "data-key": `${first} ${last} ${seat}` });
    line.append(
      ...(seat === null ? [] : [this.#number(seat, moves)]),
      make("span", { class: "words" }, unbroken(words)),
      this.#picture(moves),
      ...this.#gains(moves),
    );
    return make("li", { "data-ply": last, onmouseenter: look, onmouseleave: leave }, line);
  }

  /**
   * The number of a turn on the board, in the colour of its player.
   * @param {number} seat
   * @param {PlayedMove[]} moves
   */
  #number(seat, moves) {
    const numbers = moves.map(({ ply }) => this.#shown.numbers.get(ply)).filter(Boolean);
    return make("span", { class: `number colour-${this.#view?.seats[seat]?.colour}` }, numbers.at(-1));
  }

  /**
   * The pieces that the moves put on the board; drawn when it can be.
   * @param {PlayedMove[]} moves
   */
  #picture(moves) {
    const host = make("span", { class: "picture", "aria-hidden": "true" });
    if (moves.length > 0) this.#undrawn.push([host, moves]);
    return host;
  }

  /**
   * @param {HTMLElement} host
   * @param {PlayedMove[]} moves
   */
  #drawn(host, moves) {
    const ghosts = moves.map(({ ghost }) => ghost);
    return { host, picture: pictureOf(this.board, ghosts) };
  }

  /**
   * The gains of each seat by the moves, in its colour.
   * @param {PlayedMove[]} moves
   */
  #gains(moves) {
    const view = this.#view;
    if (!view) return [];
    const sumOf = (/** @type {number} */ seat) => moves.reduce((sum, { gains }) => sum + (gains?.[seat] ?? 0), 0);
    return gainChips(
      view,
      view.seats.map((_seat, seat) => sumOf(seat)),
    );
  }

  /** Show that the news go on below. */
  #showMore() {
    const { scrollTop, clientHeight, scrollHeight } = this.#list;
    this.#more.hidden = scrollHeight - clientHeight - scrollTop < LEAST_MORE;
  }
}

/** @param {Element | null} words */
function isCut(words) {
  return words !== null && words.scrollHeight > words.clientHeight + 1;
}
