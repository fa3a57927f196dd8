// @ts-check
// The slider over the positions of the game.
//
// Events: "past" (the view of an earlier position) and "live" (back to the present); "at" with every change of the ply.

import { get } from "../lib/api.js";
import { part } from "../lib/dom.js";
import { Emitter } from "../lib/emitter.js";
import { attempt } from "../lib/toast.js";
import { _ } from "../lib/translate.js";
import { tableUrl } from "./view.js";

/** @typedef {import("./view.js").View} View */

const STEP = 900; // milliseconds that each position is shown while they are played

/** @extends {Emitter<{past: View, live: null, at: number}>} */
export class Timeline extends Emitter {
  #slider = part("time", HTMLInputElement);
  #back = part("time-back", HTMLButtonElement);
  #next = part("time-on", HTMLButtonElement);
  #live = part("time-now");
  #position = part("position-text");
  #round = 0; // counts the steps, so that a newer one ends an older one
  /** @type {number | null} the earlier ply that is shown; null: the present */
  #past = null;
  /** @type {View | null} */
  #view = null;

  constructor() {
    super();
    this.#slider.addEventListener("input", () => this.go(Number(this.#slider.value)));
    this.#back.addEventListener("click", () => this.go(Number(this.#slider.value) - 1));
    this.#next.addEventListener("click", () => this.go(Number(this.#slider.value) + 1));
    this.#live.addEventListener("click", () => this.go(Number.POSITIVE_INFINITY));
  }

  get isLive() {
    return this.#past === null;
  }

  /** The ply that the board shows. */
  get ply() {
    return this.#past ?? this.#view?.last_ply ?? 0;
  }

  /** @param {View} view */
  follow(view) {
    this.#view = view;
    if (this.#past !== null && this.#past > view.last_ply) this.#past = null;
    this.#slider.max = String(view.last_ply);
    this.#show();
  }

  #show() {
    const [at, now] = [this.ply, this.#view?.last_ply ?? 0];
    const text = _("{at} of {now}", { at, now });
    this.#slider.value = String(at);
    this.#slider.setAttribute("aria-valuetext", text);
    this.#position.textContent = text;
    this.#live.hidden = this.isLive;
    this.#back.disabled = at === 0;
    this.#next.disabled = at === now;
    this.emit("at", at);
  }

  /**
   * Show one position after the other, up to the present. Any other step on the timeline ends it.
   * @param {number} from a ply
   */
  async play(from) {
    const last = this.#view?.last_ply ?? 0;
    for (let ply = from; ply <= last; ply++) {
      const shown = this.go(ply);
      const round = this.#round;
      await shown;
      await new Promise((done) => setTimeout(done, STEP));
      if (round !== this.#round) return;
    }
  }

  /**
   * Show a ply; the last one is the present.
   * @param {number} ply
   */
  async go(ply) {
    const view = this.#view;
    if (!view) return;
    this.#round += 1;
    const at = Math.max(0, ply);
    this.#past = at >= view.last_ply ? null : at;
    this.#show();
    if (this.isLive) {
      this.emit("live", null);
      return;
    }
    /** @type {View | null} */
    const past = await attempt(() => get(`${tableUrl(view.table)}?viewer=${view.viewer}&at=${at}`));
    if (past && this.#past === at) this.emit("past", past);
  }
}
