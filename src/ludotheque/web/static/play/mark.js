// @ts-check
// A counter in the colour of a player or a company, with its letter.

import { make } from "../lib/dom.js";

/** @typedef {import("../wire").RenderedMark} Mark */
/** @typedef {import("../wire").Bar} Bar */
/** @typedef {import("../wire").RenderedTable["rows"][number][number]} Cell */

/** @param {Mark} mark */
export function chip({ colour, letter }) {
  return make("span", { class: `chip colour-${colour}` }, letter);
}

/**
 * A counter with the word or number beside it.
 * @param {Mark} mark
 */
function marked(mark) {
  return make("span", { class: "marked" }, chip(mark), mark.text);
}

/**
 * A number, and its bar, which says the same.
 * @param {Bar} bar
 */
function barred({ number, most, colour }) {
  const fill = make("span", { class: `fill colour-${colour}` });
  fill.style.width = `${(100 * number) / Math.max(most, 1)}%`;
  return make("span", { class: "barred" }, make("span", { class: "bar", "aria-hidden": "true" }, fill), number);
}

/**
 * The content of a cell of a table.
 * @param {Cell | undefined} cell
 * @returns {Array<Node | string | number>}
 */
export function cellContent(cell) {
  if (cell === undefined) return [];
  if (typeof cell !== "object") return [cell];
  return Array.isArray(cell) ? cell.map(marked) : [barred(cell)];
}
