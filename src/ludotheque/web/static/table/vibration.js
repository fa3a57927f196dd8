// @ts-check
// A short vibration on phones: it is your turn, or a tap did nothing. A box under "More" turns it off.

import { part } from "../lib/dom.js";

/** @typedef {import("./view.js").View} View */

const KEY = "vibration";
const TURN = [40];
const REFUSED = [15, 40, 15];

export class Vibration {
  #box = part("vibration", HTMLInputElement);
  /** @type {View | null} */
  #view = null;

  constructor() {
    this.#box.checked = localStorage.getItem(KEY) !== "off";
    this.#box.addEventListener("change", () => localStorage.setItem(KEY, this.#box.checked ? "on" : "off"));
    part("vibration-line").hidden = !("vibrate" in navigator && matchMedia("(pointer: coarse)").matches);
  }

  /** @param {View} view */
  follow(view) {
    const before = this.#view;
    this.#view = view;
    if (before && !view.over && before.to_move !== view.to_move && view.mine.includes(view.to_move))
      this.#vibrate(TURN);
  }

  /** A tap that does nothing here. */
  refuse() {
    this.#vibrate(REFUSED);
  }

  /** @param {number[]} pattern milliseconds of vibration and of pauses */
  #vibrate(pattern) {
    if (this.#box.checked && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
  }
}
