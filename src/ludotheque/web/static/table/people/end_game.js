// @ts-check
// The button of someone who wants to end the game before its last move, beside the players and on a phone also above the
// board; and news of those who resign.

import { part } from "../../lib/dom.js";
import { attempt, callBack, toast } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { openEndDialog } from "./end_dialog.js";

/** @typedef {import("../view.js").View} View */

export class EndGame {
  #buttons = [part("end-game"), part("end-game-top")];
  /** @type {View | null} */
  #view = null;

  constructor() {
    for (const each of this.#buttons) each.addEventListener("click", () => attempt(() => this.#open()));
  }

  /** @param {View} view */
  follow(view) {
    const before = this.#view;
    this.#view = view;
    for (const each of this.#buttons) each.hidden = view.over || view.closed || view.mine.length === 0;
    if (before && !view.over) this.#tell(before, view); // after the end, the result says who resigned
  }

  /**
   * @param {View} before
   * @param {View} view
   */
  #tell(before, view) {
    for (const { seat, name, resigned } of view.seats) {
      if (resigned === null || before.seats[seat]?.resigned !== null) continue;
      const sentence = _("{name} resigns. A bot plays on.", { name });
      toast(sentence);
      callBack(sentence);
    }
  }

  #open() {
    if (this.#view && !this.#view.over) openEndDialog(this.#view);
  }
}
