// @ts-check
// A counter in the colour of a player or a company, with its letter.

import { make } from "../lib/dom.js";

/** @typedef {import("../wire").RenderedMark} Mark */
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
 * What stands in a cell of a table.
 * @param {Cell | undefined} cell
 * @returns {Array<Node | string | number>}
 */
export function cellContent(cell) {
  if (cell === undefined) return [];
  return typeof cell === "object" ? cell.map(marked) : [cell];
}
