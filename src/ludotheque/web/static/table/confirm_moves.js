// @ts-check
// Whether a move is confirmed before it is played: as chosen, otherwise where it cannot simply be undone (others play
// too) or where fingers slip.

import { part } from "../lib/dom.js";

const KEY = "ask-first";

export class ConfirmMoves {
  #box = part("ask-first", HTMLInputElement);

  constructor() {
    this.#box.addEventListener("change", () => localStorage.setItem(KEY, this.#box.checked ? "on" : "off"));
  }

  get isOn() {
    return this.#box.checked;
  }

  /** @param {import("./view.js").View} view */
  show(view) {
    const chosen = localStorage.getItem(KEY);
    const hasOthers = view.seats.some((seat) => seat.who !== "bot" && !seat.mine);
    const isUsual = hasOthers || matchMedia("(pointer: coarse)").matches;
    this.#box.checked = chosen === null ? isUsual : chosen === "on";
  }
}
