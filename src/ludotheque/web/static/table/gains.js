// @ts-check
// Points and money that somebody gains or pays travel between the board and the card of the player, in their colour.

import { make, part } from "../lib/dom.js";
import { pace } from "../lib/motion.js";
import { scoresOf } from "./view.js";

/** @typedef {import("./view.js").View} View */

const TRAVEL = 900; // milliseconds at the usual pace

export class Gains {
  /** @type {View | null} */
  #view = null;

  /** @param {View} view */
  follow(view) {
    const before = this.#view;
    this.#view = view;
    if (!before || before.version === view.version || before.viewer !== view.viewer || pace() === 0) return;
    const was = scoresOf(before);
    const changes = scoresOf(view).map((score, seat) => score - (was[seat] ?? score));
    const colours = view.seats.map((seat) => seat.colour);
    if (changes.some((change) => change !== 0)) requestAnimationFrame(() => this.#travelAll(changes, colours));
  }

  /**
   * @param {number[]} changes by seat
   * @param {string[]} colours by seat
   */
  #travelAll(changes, colours) {
    const board = part("board").getBoundingClientRect();
    const scores = [...part("cards").querySelectorAll(".card .score")].map((score) => score.getBoundingClientRect());
    scores.forEach((score, seat) => {
      const [change, colour] = [changes[seat], colours[seat]];
      if (change && colour) this.#travel(change, colour, board, score);
    });
  }

  /**
   * @param {number} change
   * @param {string} colour
   * @param {DOMRect} board
   * @param {DOMRect} score
   */
  #travel(change, colour, board, score) {
    const text = change > 0 ? `+${change}` : `−${-change}`;
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
