// @ts-check
// The moves played, marked on the board: at one's turn every move of the others since one's own last turn, numbered, in
// the colours of the players; at an earlier position the move that led to it; in a line that was not played all of its
// moves so far. While a line of the log is pointed at, its move instead.
//
// Event: "shown" (the moves that led to the position, and their numbers on the board, for the news).

import { get } from "../../lib/api.js";
import { Emitter } from "../../lib/emitter.js";
import { tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../wire").PlayedMove} PlayedMove */
/** @typedef {{moves: PlayedMove[], numbers: Map<number, number>}} Shown numbers by ply */

/** @extends {Emitter<{shown: Shown}>} */
export class Played extends Emitter {
  #asked = "";
  /** @type {View | null} */
  #view = null;
  /** @type {import("../../board/ghosts.js").Drawing[]} */
  #marks = [];
  /** @type {{since: number, until: number} | null} the plies of the line that is pointed at */
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
    const moves = (isLive && view.played) || (await played(view, since));
    if (this.#asked !== asked) return;
    this.#draw(moves, isLive ? othersMoves(view, moves) : moves);
  }

  /**
   * Mark the moves of some plies where they are now, and nothing else; null marks again what was marked before.
   * @param {{since: number, until: number} | null} plies
   */
  async look(plies) {
    this.#looked = plies;
    const view = this.#view;
    if (!plies || !view || plies.until > view.ply) {
      this.board.ghosts.show("mark", this.#marks);
      this.board.framing.look([]);
      return;
    }
    const { since, until } = plies;
    const moves = view.marks?.filter(({ ply }) => ply > since && ply <= until) ?? (await played(view, since, until));
    if (this.#looked !== plies || this.#view !== view) return;
    this.board.ghosts.show("mark", moves);
    const mains = moves.flatMap(({ ghost }) => this.board.elementOf(ghost.pieces?.[0]?.id ?? "") ?? []);
    this.board.framing.look(mains.slice(-1));
  }

  /**
   * @param {PlayedMove[]} moves
   * @param {PlayedMove[]} [marked] those that are marked on the board
   */
  #draw(moves, marked = moves) {
    const numbers = numbered(marked);
    const marks = marked.map(({ ply, colour, ghost }, place) => {
      const number = numbers.get(ply) ?? 0;
      const isLast = number !== numbers.get(marked[place + 1]?.ply ?? 0);
      return isLast ? { ghost, colour, number } : { ghost, colour };
    });
    this.#marks = marks;
    this.board.ghosts.show("mark", marks);
    this.emit("shown", { moves, numbers });
  }
}

/**
 * The moves of the others that can be seen: a decision on the way to a move would only be a gap in the numbers.
 * @param {View} view
 * @param {PlayedMove[]} moves
 */
function othersMoves({ log, viewer }, moves) {
  const told = new Set(log.map(({ ply }) => ply));
  return moves.filter(({ seat, ply, ghost }) => seat !== viewer && told.has(ply) && (ghost.pieces ?? []).length > 0);
}

/**
 * The number of the turn of each move, by ply.
 * @param {PlayedMove[]} moves
 */
export function numbered(moves) {
  let number = 0;
  return new Map(moves.map(({ ply, seat }, place) => [ply, seat === moves[place - 1]?.seat ? number : ++number]));
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
