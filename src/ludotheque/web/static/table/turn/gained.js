// @ts-check
// The gains of each player since they last acted, that action included, for their card: "+$19". After the end the
// score says all.

import { changeText, scoreChanges, scoreTextsOf } from "../view.js";

/** @typedef {import("../view.js").View} View */

export class Gained {
  /** @type {View | null} */
  #view = null;
  /** @type {number[]} by seat */
  #amounts = [];

  /** @param {View} view */
  follow(view) {
    const before = this.#view;
    this.#view = view;
    if (!before || view.ply < before.ply) this.#amounts = [];
    else if (view.ply > before.ply) this.#amounts = amountsAfter(before, view, this.#amounts);
  }

  /** The gains by seat, written like the scores; empty where there is none. */
  get texts() {
    const view = this.#view;
    const texts = view ? scoreTextsOf(view) : [];
    return texts.map((text, seat) => {
      const amount = this.#amounts[seat] ?? 0;
      return amount > 0 && !view?.over ? changeText(amount, text) : "";
    });
  }
}

/**
 * Add the changes of the scores to what has been gained; whoever acted begins anew.
 * @param {Pick<View, "scene" | "to_move">} before
 * @param {Pick<View, "scene">} view the next one
 * @param {number[]} amounts before
 */
export function amountsAfter(before, view, amounts) {
  return scoreChanges(before, view).map((change, seat) =>
    before.to_move === seat ? change : (amounts[seat] ?? 0) + change,
  );
}
