// @ts-check
// The game's drawing over the board on demand: on each position that is shown, as long as its button is pressed.

import { get } from "../../lib/api.js";
import { make, part } from "../../lib/dom.js";
import { attempt, toast } from "../../lib/toast.js";
import { tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../wire").Preview} Drawn */

export class Overlay {
  #isOn = false;
  /** @type {View | null} the position on the board */
  #view = null;

  /** @type {Element | null} most games have nothing of the kind */
  #button = document.querySelector("[data-part=overlay]");

  /** @param {import("../../board/board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.#button?.addEventListener("click", () => this.#toggle());
  }

  /**
   * Another position is on the board.
   * @param {View} view
   */
  show(view) {
    this.#view = view;
    if (this.#isOn) this.#draw(view);
  }

  async #toggle() {
    this.#isOn = !this.#isOn;
    this.#button?.setAttribute("aria-pressed", String(this.#isOn));
    this.board.ghosts.clear("overlay");
    const drawn = this.#isOn && this.#view ? await this.#draw(this.#view) : null;
    if (drawn) tell(drawn);
  }

  /**
   * @param {View} view
   * @returns {Promise<Drawn | null>} null if something else is shown meanwhile
   */
  async #draw(view) {
    const address = `${tableUrl(view.table)}/overlay?viewer=${view.viewer}&at=${view.ply}`;
    /** @type {Drawn | null} */
    const drawn = await attempt(() => get(address));
    if (!drawn || !this.#isOn || this.#view !== view) return null;
    this.board.ghosts.show("overlay", [drawn]);
    return drawn;
  }
}

/**
 * Say what is drawn to those who cannot see it; where nothing is, to all.
 * @param {Drawn} drawn
 */
function tell({ ghost, lines }) {
  const words = lines.join(" ");
  if (ghost.pieces?.length) part("spoken").append(make("p", {}, words));
  else toast(words);
}
