// The small tables beside a board: points, money, hands.

import { make } from "./dom.js";

export function scoreTable(told, { seats, mine } = { seats: [], mine: [] }) {
  const { caption, head, rows } = told;
  const ofSeats = listsSeats(told, seats);
  const hasHead = head.some((cell) => cell);
  const table = make("table", { class: hasHead ? null : "facts" }, make("caption", {}, caption));
  if (hasHead) {
    table.append(
      make(
        "thead",
        {},
        make("tr", {}, ...head.map((cell) => make(cell ? "th" : "td", cell ? { scope: "col" } : {}, cell))),
      ),
    );
  }
  table.append(
    make(
      "tbody",
      {},
      ...rows.map((row, place) =>
        make(
          "tr",
          { class: ofSeats && mine.includes(place) ? "mine" : null },
          ...row.map((cell, column) =>
            make(column === 0 ? "th" : "td", column === 0 ? { scope: "row" } : {}, String(cell)),
          ),
        ),
      ),
    ),
  );
  return make("div", { class: "wide-table", tabindex: 0, role: "group", "aria-label": caption }, table);
}

/** Whether a table has a row for each seat. */
function listsSeats({ rows }, seats) {
  return rows.length === seats.length && rows.every(([name], place) => String(name).endsWith(seats[place].name));
}

/** In one line, always in sight: what each seat has, which is the last column of the table that lists the seats. */
export function standing(host, { scene, seats, mine }) {
  const table = scene.tables.find((told) => listsSeats(told, seats));
  host.hidden = !table;
  host.replaceChildren(
    ...(table?.rows ?? []).map((row, place) =>
      make(
        "span",
        { class: mine.includes(place) ? "mine" : null },
        `${row[0]} `,
        make("strong", {}, String(row.at(-1))),
      ),
    ),
  );
}
