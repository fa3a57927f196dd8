// @ts-check
// The refutation of a wrong move, played on the board move by move.

import { GameLine } from "../board/game_line.js";
import { WORSE } from "../board/ghosts.js";
import { make } from "../lib/dom.js";
import { pace } from "../lib/motion.js";
import { unbroken } from "../lib/text.js";

/** @typedef {import("../wire").RenderedGameLine} Line */
/** @typedef {import("./puzzle_board.js").PuzzleBoard} PuzzleBoard */

const FIRST = 1400; // milliseconds to read the verdict
const PAUSE = 1100; // milliseconds between two moves

export class Refutation {
  #timer = 0;

  /**
   * @param {PuzzleBoard} puzzle
   * @param {HTMLElement} host the list of what happens
   */
  constructor(puzzle, host) {
    this.puzzle = puzzle;
    this.host = host;
  }

  /**
   * Play a line after a pause; for those who asked for less motion, only at once and to its end.
   * @param {Line} line
   * @param {boolean} atOnce whether someone asked to see it
   */
  play(line, atOnce) {
    this.stop();
    const moves = new GameLine({ scene: this.puzzle.scene }, line);
    if (pace() === 0) {
      if (atOnce) for (let ply = line.start + 1; ply <= moves.last; ply += 1) this.#show(moves, ply);
      return;
    }
    this.#timer = setTimeout(() => this.#step(moves, line.start + 1), atOnce ? 0 : FIRST * pace());
  }

  stop() {
    clearTimeout(this.#timer);
    this.host.replaceChildren();
    this.host.hidden = true;
  }

  /**
   * @param {GameLine<import("../board/game_line.js").Position>} moves
   * @param {number} ply
   */
  #step(moves, ply) {
    this.#show(moves, ply);
    if (ply < moves.last) this.#timer = setTimeout(() => this.#step(moves, ply + 1), PAUSE * pace());
  }

  /**
   * @param {GameLine<import("../board/game_line.js").Position>} moves
   * @param {number} ply
   */
  #show(moves, ply) {
    const position = moves.viewAt(ply);
    if (!position) return;
    this.puzzle.show(position.scene);
    const drawings = (position.marks ?? []).map((mark, place) =>
      place === 0 ? { ...mark, number: "✗", colour: WORSE } : { ...mark, number: place },
    );
    this.puzzle.board.ghosts.show("mark", drawings);
    const said = moves.log.filter((line) => line.ply === ply);
    this.host.append(...said.map(({ text }) => make("li", {}, unbroken(text))));
    this.host.hidden = this.host.childElementCount === 0;
  }
}
