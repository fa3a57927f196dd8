// @ts-check
// The slider over the positions of the game, or of a line of moves that were not played.
//
// Events: "past" (the view of an earlier position, or of one of a line) and "live" (back to the present); "line" (a line
// begins, or null: it is left); "at" with every change of the ply.

import { get } from "../../lib/api.js";
import { part } from "../../lib/dom.js";
import { Emitter } from "../../lib/emitter.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../board/game_line.js").GameLine} GameLine */

const STEP = 900; // milliseconds that each position is shown while they are played

/** @extends {Emitter<{past: View, live: null, line: GameLine | null, at: number}>} */
export class Timeline extends Emitter {
  #slider = part("time", HTMLInputElement);
  #back = part("time-back", HTMLButtonElement);
  #next = part("time-on", HTMLButtonElement);
  #live = part("time-now");
  #position = part("position-text");
  #round = 0; // counts the steps, so that a newer one ends an older one
  /** @type {number | null} the earlier ply that is shown; null: the present */
  #past = null;
  /** @type {GameLine | null} the line that is shown instead of the game */
  #line = null;
  /** @type {View | null} */
  #view = null;

  constructor() {
    super();
    this.#slider.addEventListener("input", () => this.go(Number(this.#slider.value)));
    this.#back.addEventListener("click", () => this.go(Number(this.#slider.value) - 1));
    this.#next.addEventListener("click", () => this.go(Number(this.#slider.value) + 1));
    this.#live.addEventListener("click", () => this.leave());
  }

  get isLive() {
    return this.#past === null;
  }

  /** The ply that the board shows. */
  get ply() {
    return this.#past ?? this.#view?.last_ply ?? 0;
  }

  /** The last ply of the game, or of the line that is shown. */
  get last() {
    return this.#line?.last ?? this.#view?.last_ply ?? 0;
  }

  get line() {
    return this.#line;
  }

  /**
   * Follow the game; another viewer begins in the present, for an earlier position may show what only the last one knew.
   * @param {View} view
   */
  follow(view) {
    if (this.#view && this.#view.viewer !== view.viewer) this.#forget();
    this.#view = view;
    if (this.#past !== null && this.#past > this.last) this.#past = null;
    this.#show();
  }

  /**
   * Show the positions of a line instead of those of the game; null: those of the game again.
   * @param {GameLine | null} line
   */
  takeLine(line) {
    if (this.#line === line) return;
    this.#line = line;
    this.#past = Math.min(this.ply, this.last);
    this.emit("line", line);
  }

  /** Back to the present of the game. */
  async leave() {
    this.takeLine(null);
    await this.go(Number.POSITIVE_INFINITY);
  }

  #forget() {
    this.#round += 1;
    this.#past = null;
    this.#line = null;
  }

  #show() {
    const [at, now] = [this.ply, this.last];
    const text = _("{at} of {now}", { at, now });
    this.#slider.max = String(now);
    this.#slider.value = String(at);
    this.#slider.setAttribute("aria-valuetext", text);
    this.#position.textContent = text;
    this.#live.hidden = this.isLive;
    this.#back.disabled = at === 0;
    this.#next.disabled = at === now;
    this.emit("at", at);
  }

  /**
   * Show one position after the other, up to the last. Any other step on the timeline ends it.
   * @param {number} from a ply
   */
  async play(from) {
    for (let ply = from; ply <= this.last; ply++) {
      const shown = this.go(ply);
      const round = this.#round;
      await shown;
      await new Promise((done) => setTimeout(done, STEP));
      if (round !== this.#round) return;
    }
  }

  /**
   * Show a ply that was chosen below the board, which a small screen has scrolled away.
   * @param {number} ply
   */
  visit(ply) {
    part("banner").scrollIntoView({ block: "nearest" });
    return this.go(ply);
  }

  /**
   * Show a ply; the last one of the game is the present.
   * @param {number} ply
   */
  async go(ply) {
    const view = this.#view;
    if (!view) return;
    this.#round += 1;
    const round = this.#round;
    const at = Math.max(0, Math.min(ply, this.last));
    this.#past = at === this.last && !this.#line ? null : at;
    this.#show();
    if (this.isLive) {
      this.emit("live", null);
      return;
    }
    const past = this.#line?.viewAt(at) ?? (await attempt(() => positionAt(view, at)));
    if (past && this.#past === at && this.#round === round) this.emit("past", past);
  }
}

/**
 * A position of the game.
 * @param {View} view
 * @param {number} at
 * @returns {Promise<View>}
 */
export function positionAt({ table, viewer }, at) {
  return get(`${tableUrl(table)}?viewer=${viewer}&at=${at}`);
}
