// @ts-check
// The small tables beside a board (points, money, hands), and the line of scores that is always in sight.

import { make, part } from "../lib/dom.js";

/** @typedef {import("../wire").RenderedTable} ScoreTable */
/** @typedef {import("./view.js").View} View */
/** @typedef {Pick<View, "seats" | "mine">} Seating */

/**
 * @param {ScoreTable} table
 * @param {Seating} [seating] to mark the rows of one's own seats
 */
export function scoreTable(table, { seats, mine } = { seats: [], mine: [] }) {
  const { caption, head, rows } = table;
  const hasSeats = listsSeats(table, seats);
  const hasHead = head.some((cell) => cell);
  const element = make(
    "table",
    { class: hasHead ? null : "facts" },
    make("caption", {}, caption),
    hasHead ? make("thead", {}, make("tr", {}, ...head.map(headCell))) : null,
    make("tbody", {}, ...rows.map((row, place) => bodyRow(row, hasSeats && mine.includes(place)))),
  );
  return make("div", { class: "wide-table", tabindex: 0, role: "group", "aria-label": caption }, element);
}

/** @param {string} cell */
function headCell(cell) {
  return cell ? make("th", { scope: "col" }, cell) : make("td");
}

/**
 * @param {Array<string | number>} row
 * @param {boolean} isMine
 */
function bodyRow(row, isMine) {
  const cells = row.map((cell, column) => (column === 0 ? make("th", { scope: "row" }, cell) : make("td", {}, cell)));
  return make("tr", { class: isMine ? "mine" : null }, ...cells);
}

/**
 * Whether a table has a row for each seat.
 * @param {ScoreTable} table
 * @param {View["seats"]} seats
 */
function listsSeats({ rows }, seats) {
  return rows.length === seats.length && seats.every(({ name }, place) => String(rows[place]?.[0]).endsWith(name));
}

export class Scores {
  #tables = part("tables");
  #standing = part("standing");

  /** @param {View} view */
  show(view) {
    this.#tables.replaceChildren(...view.scene.tables.map((table) => scoreTable(table, view)));
    this.#showStanding(view);
  }

  /**
   * In one line: what each seat has, which is the last column of the table that lists the seats.
   * @param {View} view
   */
  #showStanding({ scene, seats, mine }) {
    const table = scene.tables.find((one) => listsSeats(one, seats));
    this.#standing.hidden = !table;
    const scores = (table?.rows ?? []).map((row, place) =>
      make("span", { class: mine.includes(place) ? "mine" : null }, `${row[0]} `, make("strong", {}, row.at(-1))),
    );
    this.#standing.replaceChildren(...scores);
  }
}
