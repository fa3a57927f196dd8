// @ts-check
// A line of moves that were not played: the positions after a better move, shown like those of the game.

import { patchScene } from "./scene.js";

/** @typedef {import("../wire").TableView & {marks?: import("../wire").PlayedMove[]}} View with the marks of a line */
/** @typedef {Pick<View, "scene"> & Partial<View>} Position */
/** @typedef {import("../wire").RenderedGameLine} Line */

/** @template {Position} [Start=View] */
export class GameLine {
  /** @type {Start[]} the positions from the one before the better move on */
  #views;

  /**
   * @param {Start} before the position before the better move
   * @param {Line} line
   */
  constructor(before, line) {
    this.start = line.start;
    this.log = line.positions.flatMap((position) => position.log);
    this.#views = [before];
    for (const { ply, to_move, scene, marks } of line.positions) {
      const last = this.#views.at(-1) ?? before;
      this.#views.push({ ...before, ply, to_move, marks, scene: patchScene(last.scene, scene) });
    }
  }

  /** The ply of the decision that could have been better. */
  get decision() {
    return this.start + 1;
  }

  /** The last ply of the line. */
  get last() {
    return this.start + this.length;
  }

  get length() {
    return this.#views.length - 1;
  }

  /**
   * The position at a ply; null where it is one of the game.
   * @param {number} ply
   */
  viewAt(ply) {
    return ply > this.start ? (this.#views[ply - this.start] ?? null) : null;
  }
}
