// @ts-check
// What was played, marked on the board: at one's turn every move of the others since one's own last turn, numbered, in
// the colours of the players; at an earlier position the move that led to it.
//
// Event: "marked" (the marks by ply, for the log).

import { get } from "../lib/api.js";
import { Emitter } from "../lib/emitter.js";
import { tableUrl } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../wire").PlayedMove} PlayedMove */
/** @typedef {{number: number, colour: string}} Mark */

/** @extends {Emitter<{marked: Map<number, Mark>}>} */
export class Played extends Emitter {
  #asked = "";

  /** @param {import("../board/board.js").Board} board */
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
    const { table, viewer, version, ply } = view;
    const asked = isWanted ? `${version} ${viewer} ${ply} ${since}` : "";
    this.#asked = asked;
    if (!isWanted) {
      this.#draw([]);
      return;
    }
    const query = new URLSearchParams({ viewer: String(viewer), since: String(since), at: String(ply) });
    /** @type {PlayedMove[]} */
    const moves = await get(`${tableUrl(table)}/played?${query}`).catch(() => []);
    if (this.#asked !== asked) return;
    this.#draw(isLive ? moves.filter((move) => move.seat !== viewer) : moves);
  }

  /** @param {PlayedMove[]} moves */
  #draw(moves) {
    const marks = moves.map(({ ply, colour, ghost }, place) => ({ ply, ghost, number: place + 1, colour }));
    this.board.ghosts.show("mark", marks);
    this.emit("marked", new Map(marks.map(({ ply, number, colour }) => [ply, { number, colour }])));
  }
}
