// @ts-check
// Points and money that somebody gains or pays travel between the board and the card of the player, in their colour.

import { make, part } from "../../lib/dom.js";
import { pace } from "../../lib/motion.js";
import { changeText, scoreChanges, scoreTextsOf } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {{change: number, text: string, colour: string}} Change of the score of a seat */

const TRAVEL = 900; // milliseconds at the usual pace

export class Gains {
  /** @type {View | null} */
  #view = null;

  /** @param {View} view */
  follow(view) {
    const before = this.#view;
    this.#view = view;
    if (!before || before.version === view.version || before.viewer !== view.viewer || pace() === 0) return;
    const texts = scoreTextsOf(view);
    const changes = scoreChanges(before, view).map((change, seat) => {
      return { change, text: changeText(change, texts[seat] ?? ""), colour: view.seats[seat]?.colour ?? "" };
    });
    if (changes.some(({ change }) => change !== 0)) requestAnimationFrame(() => this.#travelAll(changes));
  }

  /** @param {Change[]} changes by seat */
  #travelAll(changes) {
    const board = part("board").getBoundingClientRect();
    const scores = [...part("cards").querySelectorAll(".card .score")].map((score) => score.getBoundingClientRect());
    scores.forEach((score, seat) => {
      const change = changes[seat];
      if (change?.change && change.colour) this.#travel(change, board, score);
    });
  }

  /**
   * @param {Change} change
   * @param {DOMRect} board
   * @param {DOMRect} score
   */
  #travel({ change, text, colour }, board, score) {
    const note = make("span", { class: `gain colour-${colour}`, "aria-hidden": "true" }, text);
    document.body.append(note);
    const middle = place(board.left + board.width / 2, board.top + board.height / 2);
    const there = place(score.left, score.top);
    const frames = change > 0 ? [middle, there] : [there, middle];
    const animation = note.animate(
      frames.map((transform, step) => ({ transform, opacity: step === 0 ? 1 : 0.4 })),
      { duration: TRAVEL * pace(), easing: "ease-in-out" },
    );
    const end = () => animation.finish();
    document.addEventListener("pointerdown", end, { once: true });
    animation.finished.then(() => {
      document.removeEventListener("pointerdown", end);
      note.remove();
    });
  }
}

/**
 * @param {number} x
 * @param {number} y
 */
function place(x, y) {
  return `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
}
