// @ts-check
// The scores: a card per player, and the small tables of the game beside the board.

import { button, make, part, updateContent } from "../lib/dom.js";
import { _ } from "../lib/translate.js";
import { cellContent, chip } from "./mark.js";

/** @typedef {import("../wire").RenderedTable} ScoreTable */
/** @typedef {import("./mark.js").Cell} Cell */
/** @typedef {import("../wire").RenderedGauge} Gauge */

/** @typedef {(seat: number) => HTMLElement | null} ClockOf the clock of a seat, where there is one */

/** @typedef {Partial<Pick<import("../wire").TableView, "over" | "ply" | "last_ply">>} Ending */

/**
 * Whether a view shows the end of a game: after a resignation nobody is to move any more, although the position asks
 * for a move.
 * @param {Ending} view
 */
export function isEnded({ over = false, ply, last_ply }) {
  return over && ply === last_ply;
}

/**
 * A table, or the cards of the players where it lists the seats.
 * @param {ScoreTable} table
 * @param {number[]} [mine] one's own seats
 * @param {string[]} [gained] by seat, for its card: "+3", or nothing
 * @param {ClockOf} [clockOf]
 */
export function scoreTable(table, mine = [], gained = [], clockOf = () => null) {
  if (table.lists_seats)
    return make("ul", { class: "cards", "aria-label": table.caption }, ...cardsOf(table, mine, gained, clockOf));
  const { caption, head, rows, marked } = table;
  const hasHead = head.some((cell) => cell);
  const element = make(
    "table",
    { class: hasHead ? null : "facts" },
    make("caption", {}, caption),
    hasHead ? make("thead", {}, make("tr", {}, ...head.map(headCell))) : null,
    make("tbody", {}, ...rows.map((row, place) => bodyRow(row, place === marked))),
  );
  return make(
    "div",
    { class: "wide-table", tabindex: 0, role: "group", "aria-label": caption, "data-key": caption },
    element,
  );
}

/** @param {string} cell */
function headCell(cell) {
  return cell ? make("th", { scope: "col" }, cell) : make("td");
}

/**
 * @param {Cell[]} row
 * @param {boolean} isMarked
 */
function bodyRow(row, isMarked) {
  const cells = row.map((cell, column) =>
    column === 0 ? make("th", { scope: "row" }, ...cellContent(cell)) : make("td", {}, ...cellContent(cell)),
  );
  return make("tr", { class: isMarked ? "mine" : null }, ...cells);
}

/**
 * @param {ScoreTable} table
 * @param {number[]} mine
 * @param {string[]} gained
 * @param {ClockOf} clockOf
 */
function cardsOf({ head, rows, marked }, mine, gained, clockOf) {
  return rows.map((row, seat) =>
    playerCard(head, row, {
      isToMove: seat === marked,
      isMine: mine.includes(seat),
      gained: gained[seat] ?? "",
      clock: clockOf(seat),
    }),
  );
}

/**
 * Colour, name and score of a player, and below them what counts in the game.
 * @param {string[]} head
 * @param {Cell[]} row
 * @param {{isToMove: boolean, isMine: boolean, gained: string, clock: HTMLElement | null}} player
 */
function playerCard(head, row, { isToMove, isMine, gained, clock }) {
  const last = row.length - 1;
  const score = make("strong", { class: "score" }, spoken(`${head[last] ?? ""}: `), ...cellContent(row[last]));
  const facts = row.slice(1, last).flatMap((cell, place) => (cell === "" ? [] : [fact(head[place + 1] ?? "", cell)]));
  return make(
    "li",
    { class: `card${isToMove ? " to-move" : ""}${isMine ? " mine" : ""}`, "aria-current": isToMove && "true" },
    make("span", { class: "who" }, ...cellContent(row[0]), ...(gained ? [" ", chipOf(gained)] : [])),
    score,
    facts.length > 0 ? make("dl", { class: "facts" }, ...facts) : null,
    clock,
  );
}

/**
 * What the player has gained, behind the name: no line of the card is the longer for it.
 * @param {string} gained
 */
function chipOf(gained) {
  return make("span", { class: "gained" }, gained);
}

/**
 * @param {string} name
 * @param {Cell} cell
 */
function fact(name, cell) {
  return make("div", {}, make("dt", {}, name), make("dd", {}, ...cellContent(cell)));
}

/**
 * A table in brief, for small screens: the mark of each row and one number; one's own are framed. It opens the whole.
 * @param {ScoreTable} table
 */
export function briefTable({ caption, head, rows, brief = -1, own = [] }) {
  const word = head[brief] ?? "";
  const marks = rows.flatMap(([first, ...rest], place) => {
    const [mark] = Array.isArray(first) ? first : [];
    return mark ? [{ mark, value: rest[brief - 1], isOwn: own.includes(place) }] : [];
  });
  const told = marks.map(({ mark, value, isOwn }) => `${mark.text} ${value}${isOwn ? ` (${_("yours")})` : ""}`);
  const parts = marks.map(({ mark, value, isOwn }) =>
    make("span", { class: isOwn ? "own" : null }, chip(mark), ...cellContent(value)),
  );
  const label = `${word}: ${told.join(", ")}`;
  const attributes = { class: "brief-table", "data-opens": "overview", "data-key": "brief", title: caption };
  return make("button", { type: "button", ...attributes, "aria-label": label }, ...parts);
}

/** @param {string} text only for screen readers */
function spoken(text) {
  return make("span", { class: "unseen" }, text);
}

/**
 * A row of gauges for each event.
 * @param {Gauge[]} gauges
 */
export function gaugeRows(gauges) {
  const events = [...new Set(gauges.map(({ event }) => event))];
  return make("div", { class: "gauges" }, ...events.flatMap((event) => gaugeRow(event, gauges)));
}

/**
 * @param {string} event
 * @param {Gauge[]} gauges
 */
function gaugeRow(event, gauges) {
  const items = gauges.filter((gauge) => gauge.event === event).map(gaugeItem);
  return [make("span", { class: "dim" }, event), make("ul", { "aria-label": event }, ...items)];
}

/** @param {Gauge} gauge */
function gaugeItem({ label, at, end, meaning }) {
  const isFull = at >= end;
  const bar = make("progress", { max: end, value: at, "aria-hidden": "true" });
  return make(
    "li",
    { class: isFull ? "full" : at + 1 === end ? "near" : null, title: meaning },
    make("span", {}, label),
    make("strong", {}, `${at}/${end}`),
    bar,
    spoken(meaning),
  );
}

export class Scores {
  #tables = part("tables");
  #cards = part("cards");
  #isOpen = false; // whether a phone shows all of the cards

  /** @param {ClockOf} clockOf */
  constructor(clockOf = () => null) {
    this.clockOf = clockOf;
  }

  /**
   * @param {Pick<import("../wire").TableView, "scene" | "mine"> & Ending} view
   * @param {string[]} [gained] by seat, for its card
   */
  show({ scene, mine, ...ending }, gained = []) {
    const seats = scene.tables.find((table) => table.lists_seats);
    const cards = seats && isEnded(ending) ? { ...seats, marked: -1 } : seats;
    this.#cards.hidden = !cards;
    this.#cards.classList.toggle("open", this.#isOpen);
    const gauges = scene.gauges?.length ? [gaugeRows(scene.gauges)] : [];
    const briefs = scene.tables.filter(({ brief = -1 }) => brief > 0).map(briefTable);
    updateContent(
      this.#cards,
      ...(cards ? [scoreTable(cards, mine, gained, this.clockOf), ...gauges, ...briefs, this.#toggle()] : []),
    );
    const others = scene.tables.filter((table) => table !== seats && table.caption !== scene.sheet?.title);
    updateContent(this.#tables, ...others.map((table) => scoreTable(table, mine)));
    this.#tables.hidden = !this.#tables.hasChildNodes();
  }

  #toggle() {
    const label = this.#isOpen ? _("Collapse player cards") : _("Expand player cards");
    return button(this.#isOpen ? "▴" : "▾", () => this.#change(), {
      class: "cards-toggle quiet",
      "data-key": "toggle",
      "aria-expanded": String(this.#isOpen),
      "aria-label": label,
    });
  }

  #change() {
    this.#isOpen = !this.#isOpen;
    this.#cards.classList.toggle("open", this.#isOpen);
    const toggle = this.#toggle();
    this.#cards.lastElementChild?.replaceWith(toggle);
    toggle.focus();
  }
}
