// @ts-check
// The events that decide a game, one card after the other over the dimmed board. A card waits for a tap or goes by
// itself, as chosen; whatever a player does beside it ends all cards and is done, so that nobody waits. Cards wait for
// someone who looks elsewhere, and whoever comes back to the table gets those of what happened meanwhile.
//
// Event: "done" (the last card is gone, or one over a board that has been cleared).
//
// The log tells the same to screen readers: a card is not announced again, and does not take the focus.

import { part } from "../../lib/dom.js";
import { Emitter } from "../../lib/emitter.js";
import { attempt } from "../../lib/toast.js";
import { showCard } from "./event_card.js";
import { rememberPly, seenPly } from "./seen_plies.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../wire").RenderedEventCard} Card */

const KEY = "event-cards";
const SECONDS = 3; // that a card is shown, and a row more
const SECONDS_PER_ROW = 0.7;

/** @extends {Emitter<{done: null}>} */
export class EventCards extends Emitter {
  #field = part("event-cards", HTMLSelectElement);
  /** @type {Card[]} the one that is shown first */
  #waiting = [];
  /** @type {number | null} the ply of the last view */
  #seen = null;
  /** @type {import("./event_card.js").ShownCard | null} */
  #shown = null;
  /** @type {View | null} */
  #view = null;
  #timer = 0;

  /** @param {import("../../board/board.js").Board} board */
  constructor(board) {
    super();
    this.board = board;
    this.#field.value = localStorage.getItem(KEY) ?? "short";
    this.#field.addEventListener("change", () => localStorage.setItem(KEY, this.#field.value));
    document.addEventListener("pointerdown", (event) => this.#pointDown(event), { capture: true });
    document.addEventListener("keydown", (event) => this.#keyDown(event), { capture: true });
    document.addEventListener("visibilitychange", () => this.#goOn());
  }

  /**
   * @param {View} view
   * @param {boolean} isLive whether the board shows the present
   */
  follow(view, isLive) {
    const { ply, cards } = view;
    this.#view = view;
    const seen = this.#seen ?? seenPly(view.table) ?? ply;
    this.#seen = ply;
    if (ply < seen || !isLive) this.end(); // moves were taken back, or someone looks at earlier ones
    if (isLive && this.#field.value !== "off") this.#waiting.push(...cards.filter((card) => card.ply > seen));
    if (this.#shown) {
      this.#showBoard(); // not the present one, which has just come
      this.#shown.light();
    }
    this.#goOn();
  }

  /** Show the next card, if someone looks; without one, all has been seen. */
  #goOn() {
    if (document.hidden || this.#shown || !this.#view) return;
    if (this.#waiting.length > 0) attempt(() => this.#showFirst());
    else rememberPly(this.#view.table, this.#view.ply);
  }

  /** Whether cards are shown, or about to be. */
  get isShowing() {
    return this.#waiting.length > 0;
  }

  #showFirst() {
    const [card] = this.#waiting;
    if (!card || !this.#view || this.#shown) return;
    this.#showBoard();
    const skip = this.#waiting.length > 1 ? () => this.end() : null;
    this.#shown = showCard(card, this.board, () => this.#next(), skip);
    this.#startTimer(card);
  }

  /** Show the board that the first card tells of, if that has been cleared. */
  #showBoard() {
    const scene = this.#waiting[0]?.board;
    if (scene) this.board.show(scene);
  }

  /** @param {Card} card */
  #startTimer(card) {
    if (this.#field.value === "tap") return;
    const seconds = SECONDS + SECONDS_PER_ROW * card.rows.length;
    const isRead = () => document.hidden || this.#shown?.isRead; // or nobody has looked yet
    this.#timer = setTimeout(() => (isRead() ? this.#startTimer(card) : this.#next()), seconds * 1000);
  }

  #next() {
    this.#close();
    const wasOld = Boolean(this.#waiting.shift()?.board);
    if (wasOld || this.#waiting.length === 0) this.emit("done", null);
    this.#goOn();
  }

  /** End all cards, also those that wait. */
  end() {
    const wasShowing = this.isShowing;
    this.#close();
    this.#waiting = [];
    if (wasShowing) this.emit("done", null);
    this.#goOn();
  }

  #close() {
    clearTimeout(this.#timer);
    this.#shown?.close();
    this.#shown = null;
  }

  /** @param {PointerEvent} event */
  #pointDown(event) {
    if (this.#shown && !this.#shown.holds(event.target)) this.end();
  }

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    if (!this.#shown || isTyping(event.target)) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      this.end();
    } else if (event.key === "Enter" || event.key === " ") {
      const isForAnother = event.target instanceof Element && event.target.closest("button, a, summary, [data-step]");
      if (isForAnother && !this.#shown.holds(event.target)) this.end();
      else this.#takeKey(event);
    }
  }

  /** @param {KeyboardEvent} event */
  #takeKey(event) {
    event.preventDefault();
    event.stopPropagation();
    this.#next();
  }
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof Element && target.closest("input, textarea, select") !== null;
}
