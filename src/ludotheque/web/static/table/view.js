// @ts-check
// The common parts of the modules of the table's page: the kinds of things, and questions about a view.

import { _ } from "../lib/translate.js";

/** @typedef {import("../board/game_line.js").View} View */
/** @typedef {import("../wire").SeatView} Seat */

export const CHANCE = -1;
export const SPECTATOR = -5;
export const TERMINAL = -4;

/**
 * The address of a table's part of the API.
 * @param {string} table
 */
export function tableUrl(table) {
  return `/api/tables/${table}`;
}

/**
 * The secret of a link; empty if the address ends with something else, such as the name of an element.
 * @param {string} hash
 */
export function secretOf(hash) {
  return /^#([\w-]{32})$/.exec(hash)?.[1] ?? "";
}

/**
 * Whether a seat at this screen is to move.
 * @param {View} view
 */
export function isMyTurn(view) {
  return !view.over && view.mine.includes(view.to_move);
}

/**
 * Whether the person at this screen may decide about the table: they hold a seat, or they opened it.
 * @param {View} view
 */
export function hasSay(view) {
  return heldSeats(view).length > 0 || view.host;
}

/**
 * The seats of the person at this screen, also those that a bot plays for.
 * @param {View} view
 */
export function heldSeats({ seats }) {
  return seats.filter(({ held }) => held);
}

/**
 * Whether nobody has taken a seat that waits for a person.
 * @param {Seat} seat
 */
export function isFree(seat) {
  return seat.who !== "bot" && !seat.taken;
}

/**
 * Whether a seat has a name of its own, not that of its colour.
 * @param {Seat} seat
 */
export function hasName({ name, colour_name }) {
  return name.toLowerCase() !== colour_name.toLowerCase();
}

/**
 * The score of each seat as its card writes it, such as "$12"; none where it is hidden.
 * @param {Pick<View, "scene">} view
 */
export function scoreTextsOf({ scene }) {
  const cards = scene.tables.find((table) => table.lists_seats);
  return (cards?.rows ?? []).map((row) => String(row.at(-1)));
}

/**
 * The same as numbers; 0 where there is none.
 * @param {Pick<View, "scene">} view
 */
export function scoresOf(view) {
  return scoreTextsOf(view).map((text) => Number.parseInt(text.replace(/[^\d-]/g, ""), 10) || 0);
}

/**
 * The change of each score from one view to the next. One that is hidden in either has not changed as far as one can
 * see.
 * @param {Pick<View, "scene">} before
 * @param {Pick<View, "scene">} view
 */
export function scoreChanges(before, view) {
  const [was, is] = [scoresOf(before), scoresOf(view)];
  const texts = [scoreTextsOf(before), scoreTextsOf(view)];
  return is.map((score, seat) => (texts.every((all) => /\d/.test(all[seat] ?? "")) ? score - (was[seat] ?? score) : 0));
}

/**
 * Write a change of a score like the score itself: "+$5" where that is "$12".
 * @param {number} change
 * @param {string} text how the score is written
 */
export function changeText(change, text) {
  const amount = String(Math.abs(change));
  const alike = /\d/.test(text) ? text.replace("-", "").replace(/\d+/, amount) : amount;
  return `${change > 0 ? "+" : "−"}${alike}`;
}

/**
 * The name of who plays a seat now: a bot in a person's seat is named as one.
 * @param {Pick<Seat, "name" | "stands_in">} seat
 */
export function playerName({ name, stands_in }) {
  return stands_in ? _("{name} (bot)", { name }) : name;
}

/**
 * @param {View} view
 * @param {number} seat
 */
export function nameOf(view, seat) {
  return view.seats[seat]?.name ?? "";
}
