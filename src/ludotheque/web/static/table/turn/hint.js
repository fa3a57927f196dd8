// @ts-check
// The button that asks a bot for a hint, and its answer, which stays until the position changes.
//
// Event: "look" (the action of the hint that is pointed at, or null).

import { post } from "../../lib/api.js";
import { part } from "../../lib/dom.js";
import { Emitter } from "../../lib/emitter.js";
import { attempt } from "../../lib/toast.js";
import { HintList } from "../../play/hint_list.js";
import { tableUrl } from "../view.js";

/** @typedef {import("../../wire").HintMove} HintMove */
/** @typedef {import("../view.js").View} View */

/** @extends {Emitter<{look: number | null}>} */
export class Hint extends Emitter {
  #button = part("hint", HTMLButtonElement);
  /** @type {HintList} */
  #list;
  /** @type {View | null} */
  #view = null;
  /** @type {HintMove[]} */
  #moves = [];
  #isOffered = false; // whether the position on the board is the one that hints are for

  /** @param {import("../../board/board.js").Board} board */
  constructor(board) {
    super();
    this.board = board;
    this.#list = new HintList(board);
    this.#list.on("look", (move) => this.emit("look", move ? move.action : null));
    this.#button.addEventListener("click", () => this.#ask());
  }

  /** @param {View} view */
  follow(view) {
    if (this.#view?.version !== view.version) this.#moves = [];
    this.#view = view;
  }

  /**
   * Offer a hint, and show the one that was given for this position.
   * @param {boolean} isAsking whether the player has something to decide now
   */
  offer(isAsking) {
    this.#isOffered = isAsking;
    this.#button.hidden = !isAsking;
    this.#show(isAsking ? this.#moves : []);
  }

  async #ask() {
    if (!this.#view) return;
    this.#button.disabled = true;
    const isGiven = await this.#request(this.#view, false);
    this.#button.disabled = false;
    if (isGiven) await this.#request(this.#view, true);
  }

  /**
   * Show the hint for a position, unless it has changed meanwhile; a thorough one replaces the first while it is read.
   * @param {View} view
   * @param {boolean} thorough
   */
  async #request({ table, version, viewer: seat }, thorough) {
    /** @type {import("../../wire").Hints | null} */
    const hints = await attempt(() => post(`${tableUrl(table)}/hint`, { seat, version, thorough }));
    if (!hints || this.#view?.version !== version) return false;
    this.#moves = hints.moves;
    if (this.#isOffered) this.#show(hints.moves);
    return true;
  }

  /** @param {HintMove[]} moves */
  #show(moves) {
    if (moves.length > 0) this.board.ghosts.clear("mark");
    this.#list.show(moves);
  }
}
