// @ts-check
// The label of the piece under the pointer, over the board.

import { part } from "../lib/dom.js";

const SHOWN = 4000; // milliseconds after a touch: a finger does not leave as a pointer does

export class PieceLabel {
  #host = part("looked-at");
  #timer = 0;

  /** @param {import("../board/board.js").Board} board */
  constructor(board) {
    board.on("label", (label) => this.#show(label));
  }

  /** @param {string} label */
  #show(label) {
    this.#host.textContent = label;
    this.#host.hidden = !label;
    clearTimeout(this.#timer);
    if (matchMedia("(hover: none)").matches) this.#timer = setTimeout(() => this.#show(""), SHOWN);
  }
}
