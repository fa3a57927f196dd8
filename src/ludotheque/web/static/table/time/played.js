// @ts-check
// What was played, marked on the board: at one's turn every move of the others since one's own last turn, numbered, in
// the colours of the players; at an earlier position the move that led to it; in a line that was not played all of its
// moves so far. While a line of the log is pointed at, its move instead.
//
// Event: "marked" (the marks by ply, for the log).

import { get } from "../../lib/api.js";
import { Emitter } from "../../lib/emitter.js";
import { tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../wire").PlayedMove} PlayedMove */
/** @typedef {{number: number, colour: string}} Mark */

/** @extends {Emitter<{marked: Map<number, Mark>}>} */
export class Played extends Emitter {
  #asked = "";
  /** @type {View | null} */
  #view = null;
  /** @type {import("../../board/ghosts.js").Drawing[]} */
  #marks = [];
  /** @type {number | null} the ply of the line that is pointed at */
  #looked = null;

  /** @param {import("../../board/board.js").Board} board */
  constructor(board) {
    super();
    this.board = board;
  }

  /**
   * Mark what led to the position that is shown.
   * @param {View} view
   * @param {boolean} isLive whether that is the present
   */
  async show(view, isLive) {
    const since = isLive ? view.since : view.ply - 1;
    const isWanted = view.ply > 0 && since !== null && (!isLive || view.choices.length > 0);
    const { viewer, version, ply } = view;
    const asked = isWanted ? `${version} ${viewer} ${ply} ${since}` : "";
    this.#asked = asked;
    this.#view = view;
    this.#looked = null;
    if (view.marks || !isWanted) {
      this.#draw(view.marks ?? []);
      return;
    }
    const moves = await played(view, since);
    if (this.#asked !== asked) return;
    this.#draw(isLive ? othersMoves(view, moves) : moves);
  }

  /**
   * Mark the move of a ply where it is now, and nothing else; null marks again what was marked before.
   * @param {number | null} ply
   */
  async look(ply) {
    this.#looked = ply;
    const view = this.#view;
    if (ply === null || !view || ply > view.ply) {
      this.board.ghosts.show("mark", this.#marks);
      return;
    }
    const moves = view.marks?.filter((move) => move.ply === ply) ?? (await played(view, ply - 1, ply));
    if (this.#looked === ply && this.#view === view) this.board.ghosts.show("mark", moves);
  }

  /** @param {PlayedMove[]} moves */
  #draw(moves) {
    const marks = moves.map(({ ply, colour, ghost }, place) => ({ ply, ghost, number: place + 1, colour }));
    this.#marks = marks;
    this.board.ghosts.show("mark", marks);
    this.emit("marked", new Map(marks.map(({ ply, number, colour }) => [ply, { number, colour }])));
  }
}

/**
 * What the others did that is told and can be seen: a decision on the way to a move would only be a gap in the numbers.
 * @param {View} view
 * @param {PlayedMove[]} moves
 */
function othersMoves({ log, viewer }, moves) {
  const told = new Set(log.map(({ ply }) => ply));
  return moves.filter(({ seat, ply, ghost }) => seat !== viewer && told.has(ply) && (ghost.pieces ?? []).length > 0);
}

/**
 * The moves after a ply, as they are to be drawn on the board that is shown.
 * @param {View} view
 * @param {number} since
 * @param {number} [until] the last of them
 * @returns {Promise<PlayedMove[]>}
 */
function played({ table, viewer, ply }, since, until = ply) {
  const wanted = { viewer, since, until, at: ply };
  const query = new URLSearchParams(Object.entries(wanted).map(([name, value]) => [name, String(value)]));
  return get(`${tableUrl(table)}/played?${query}`).catch(() => []);
}
