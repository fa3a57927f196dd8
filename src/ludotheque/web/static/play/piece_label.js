// @ts-check
// The label of the piece under the pointer, over the board.

import { part } from "../lib/dom.js";

const SHOWN = 4000; // milliseconds after a touch: a finger does not leave as a pointer does

export class PieceLabel {
  #host = part("looked-at");
  #timer = 0;
  /** @type {number | null} */
  #viewer = null;

  /** @param {import("../board/board.js").Board} board */
  constructor(board) {
    board.on("label", ({ text, isLeft }) => this.#show(text, isLeft));
  }

  /**
   * Say nothing to another viewer of what the last one pointed at.
   * @param {{viewer: number}} view
   */
  follow({ viewer }) {
    if (viewer !== this.#viewer) this.#show("", false);
    this.#viewer = viewer;
  }

  /**
   * It is in the other half of the board, so that it does not cover what it names.
   * @param {string} label
   * @param {boolean} isLeft whether the piece is in the left half
   */
  #show(label, isLeft) {
    this.#host.textContent = label;
    this.#host.classList.toggle("right", isLeft);
    clearTimeout(this.#timer);
    if (matchMedia("(hover: none)").matches) this.#timer = setTimeout(() => this.#show("", false), SHOWN);
  }
}
