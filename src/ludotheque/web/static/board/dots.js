// @ts-check
// Dots in the places that can be chosen: nothing of the board is tinted or covered.

import { svg } from "./piece.js";

/** @typedef {{element: SVGGElement, piece: import("../wire").RenderedPiece}} Place */

const RADIUS = 4; // in pixels of the screen
const MOST = 48; // more of them would be a pattern that says nothing

export class Dots {
  layer = svg("g", "dots");

  /** @param {Place[]} places that can be chosen */
  show(places) {
    this.layer.replaceChildren(...(places.length > MOST ? [] : places).map(dotIn));
  }

  /**
   * Hide the dot of a step, whose ghost is there now, and no other.
   * @param {string} step "" for none
   */
  hide(step) {
    for (const dot of this.layer.children) dot.classList.toggle("unseen", dot.getAttribute("data-at") === step);
  }
}

/** @param {Place} place */
function dotIn({ element, piece }) {
  const dot = svg("circle");
  dot.setAttribute("r", String(RADIUS));
  dot.setAttribute("data-at", piece.step ?? "");
  const { x, y } = middleOf(element, piece);
  dot.style.transform = `translate(${x}px, ${y}px) scale(var(--pixel, 1))`;
  return dot;
}

/**
 * The middle of a place: symbols are drawn about their own, a path may lie anywhere.
 * @param {SVGGElement} element
 * @param {import("../wire").RenderedPiece} piece
 */
function middleOf(element, { symbol, x = 0, y = 0 }) {
  if (symbol) return { x, y };
  const box = element.getBBox();
  return { x: x + box.x + box.width / 2, y: y + box.y + box.height / 2 };
}
