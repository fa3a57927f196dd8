// @ts-check
// A turn with one legal move: it is announced and made by itself after a moment, unless the player touches the page or
// chose to make such moves by hand. Not among people in a game that hides something, where a quick answer would tell that
// there was no choice; and not again after it was taken back.
//
// Events: "announce" (the move in words) and "play" (the move).

import { part } from "../../lib/dom.js";
import { Emitter } from "../../lib/emitter.js";
import { labelOf, movesOf } from "../../play/choices.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../play/choices.js").Move} Move */

const KEY = "forced-moves";
const MOMENT = 2500; // milliseconds to read what will be played

/** @extends {Emitter<{announce: string, play: Move}>} */
export class ForcedMoves extends Emitter {
  #box = part("forced-moves", HTMLInputElement);
  #hides = part("play-area").dataset.hides !== undefined; // whether the game hides something
  #timer = 0;
  #lastPly = -1; // of the last forced move that was made

  constructor() {
    super();
    this.#box.checked = localStorage.getItem(KEY) !== "off";
    this.#box.addEventListener("change", () => localStorage.setItem(KEY, this.#box.checked ? "on" : "off"));
    for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, () => this.stop());
  }

  /**
   * Make the move of a position if there is only one.
   * @param {View} view
   */
  ask(view) {
    this.stop();
    const [move, ...others] = movesOf(view.choices);
    if (!move || others.length > 0 || move.path.some(({ warning }) => warning) || !this.#isWanted(view)) return;
    this.emit("announce", labelOf(move.path));
    this.#timer = setTimeout(() => this.#play(view, move), MOMENT);
  }

  stop() {
    clearTimeout(this.#timer);
  }

  /** @param {View} view */
  #isWanted({ ply, seats }) {
    const isAmongPeople = seats.some(({ who, mine }) => who === "person" && !mine);
    return this.#box.checked && ply > this.#lastPly && !(this.#hides && isAmongPeople);
  }

  /**
   * @param {View} view
   * @param {Move} move
   */
  #play({ ply }, move) {
    this.#lastPly = ply;
    this.emit("play", move);
  }
}
