// @ts-check
// Whether a move is confirmed before it is played: as chosen, otherwise where fingers slip.

import { part } from "../../lib/dom.js";

const KEY = "ask-first";

export class ConfirmMoves {
  #box = part("ask-first", HTMLInputElement);

  constructor() {
    const chosen = localStorage.getItem(KEY);
    this.#box.checked = chosen === null ? matchMedia("(pointer: coarse)").matches : chosen === "on";
    this.#box.addEventListener("change", () => localStorage.setItem(KEY, this.#box.checked ? "on" : "off"));
  }

  get isOn() {
    return this.#box.checked;
  }
}
