// @ts-check
// The parts beside the board of a lesson or a puzzle: scores, gauges, the tables of the game, the sheet of an auction.

import { part } from "../lib/dom.js";
import { gaugeRows, scoreTable } from "../play/scores.js";
import { Sheet } from "../play/sheet.js";

export class Beside {
  #sheet = new Sheet();
  #tables = part("tables");

  /**
   * @param {import("../wire").RenderedScene} scene
   * @param {boolean} [needsBoard] whether the reader is to look at the board, so that the sheet is folded
   */
  show(scene, needsBoard = false) {
    const { tables, gauges, sheet } = scene;
    const [cards, others] = [true, false].map((wanted) =>
      tables.filter((table) => Boolean(table.lists_seats) === wanted && table.caption !== sheet?.title),
    );
    this.#tables.replaceChildren(
      ...(cards ?? []).map((table) => scoreTable(table)),
      ...(gauges?.length ? [gaugeRows(gauges)] : []),
      ...(others ?? []).map((table) => scoreTable(table)),
    );
    this.#sheet.show({ scene }, needsBoard);
  }
}
