// @ts-check
// The label of the piece under the pointer: below a large board; on a small screen above it, where the news are, or over
// the board where there are none.

import { part } from "../lib/dom.js";
import { isLargeScreen } from "../lib/screen.js";

const SHOWN = 4000; // milliseconds after a touch: a finger does not leave as a pointer does

export class PieceLabel {
  #host = part("looked-at");
  #above = document.querySelector("[data-part=looked-at-above]");
  #timer = 0;
  /** @type {number | null} */
  #viewer = null;

  /** @param {import("../board/board.js").Board} board */
  constructor(board) {
    board.on("label", ({ text, isLeft }) => this.#show(text, isLeft));
    board.on("step", () => this.#show("", false)); // what was chosen is told elsewhere
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
   * Over the board it is in the other half, so that it does not cover what it names.
   * @param {string} label
   * @param {boolean} isLeft whether the piece is in the left half
   */
  #show(label, isLeft) {
    const isAbove = !isLargeScreen() && this.#above?.parentElement?.checkVisibility();
    this.#host.textContent = isAbove ? "" : label;
    if (this.#above) this.#above.textContent = isAbove ? label : "";
    this.#host.classList.toggle("right", isLeft);
    clearTimeout(this.#timer);
    if (matchMedia("(hover: none)").matches) this.#timer = setTimeout(() => this.#show("", false), SHOWN);
  }
}
