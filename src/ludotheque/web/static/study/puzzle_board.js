// @ts-check
// A puzzle on the board: it asks for a move and reports what the server says about it.
//
// Event: "answer" (the worth of the move that was tried).

import { Board } from "../board/board.js";
import { Sentences } from "../board/sentence.js";
import { get, post } from "../lib/api.js";
import { part } from "../lib/dom.js";
import { Emitter } from "../lib/emitter.js";
import { chip } from "../play/mark.js";
import { PieceLabel } from "../play/piece_label.js";
import { Prompt } from "../play/prompt.js";
import { Beside } from "./beside.js";
import { showLog } from "./log.js";
import { previewMoves } from "./preview.js";
import { tryMoves } from "./try_moves.js";
import { tellWhyNot } from "./why_not.js";

/** @typedef {import("../wire").StudyBoard} StudyBoard */
/** @typedef {import("../wire").RenderedScene} Scene */
/** @typedef {import("../wire").PuzzleAnswer} PuzzleAnswer */

/** @extends {Emitter<{answer: PuzzleAnswer}>} */
export class PuzzleBoard extends Emitter {
  board = new Board(part("board"));
  prompt;
  #beside = new Beside();
  #sentences = new Sentences(this.board);
  #address = "";
  #isRated;
  /** @type {StudyBoard | null} */
  #position = null;

  /**
   * @param {() => boolean} confirms whether a move is confirmed before it counts
   * @param {boolean} isRated whether the first try counts for the rating of the solver's profile
   */
  constructor(confirms, isRated) {
    super();
    this.#isRated = isRated;
    this.prompt = new Prompt(this.board, confirms);
    new PieceLabel(this.board);
    this.board.gestures.listenToButtons();
    tryMoves(this.prompt, (action) => this.#try(action));
    previewMoves(this.prompt, (action) => post(`${this.#address}/preview`, { action }));
    tellWhyNot(this.prompt, (picks) => post(`${this.#address}/why-not`, { picks }));
  }

  /** The scene before the move. */
  get scene() {
    if (!this.#position) throw new Error("No puzzle is open");
    return this.#position.scene;
  }

  /**
   * Show a puzzle and ask for a move.
   * @param {string} address
   * @param {string} [backdrop]
   * @param {string} [styles]
   */
  async open(address, backdrop = `${address}/backdrop.svg`, styles = `${address}/backdrop.css`) {
    /** @type {[StudyBoard, void]} */
    const [position] = await Promise.all([get(address), this.board.load(backdrop, styles)]);
    this.#address = address;
    this.#position = position;
    this.ask();
    this.board.framing.showAll();
  }

  /** Ask for a move, once more after a wrong one. */
  ask() {
    if (!this.#position) return;
    const { scene, log, choices } = this.#position;
    this.show(scene);
    showLog(log, this.#sentences);
    part("asks").textContent = scene.asks;
    part("mine").replaceChildren(...colourOf(scene));
    this.prompt.ask(choices);
    this.prompt.askAgain();
  }

  /** @param {Scene} scene */
  show(scene) {
    this.board.show(scene);
    this.#beside.show(scene);
  }

  /** @param {number} action */
  async #try(action) {
    /** @type {PuzzleAnswer} */
    const answer = await post(`${this.#address}/try`, { action, rated: this.#isRated });
    this.prompt.ask([]);
    this.emit("answer", answer);
  }
}

/**
 * The counter of the player to move, who solves the puzzle.
 * @param {Scene} scene
 */
function colourOf({ tables }) {
  const seats = tables.find((table) => table.lists_seats);
  const player = seats?.rows[seats.marked ?? -1]?.[0];
  return Array.isArray(player) ? player.map(chip) : [];
}
