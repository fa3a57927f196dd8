// @ts-check
// Dots in the places that can be chosen: nothing of the board is tinted or covered. A place with a tag, such as a price,
// has that instead.

import { grown, isInside } from "./camera.js";
import { svg } from "./piece.js";
import { FLAT, placeOf, project } from "./projection.js";

/** @typedef {{element: SVGGElement, piece: import("../wire").RenderedPiece}} Place */
/**
 * A dot or tag, so far below the middle of its place, and how large a pixel of it may be on the board.
 * @typedef {[SVGElement, {place: Place, below: number, largest: number}]} Mark
 */

const RADIUS = 4; // in pixels of the screen, as all that follows
const TAG = { height: 20, letter: 9, small: 7.5, gap: 3, padding: 8 };
const ANY_SIZE = 1000;
const MOST = 48; // more dots would be a pattern that says nothing
const ASIDE = 0.32; // of the height of its place: as far below the middle is a dot where something is written

export class Dots {
  layer = svg("g", "dots");
  view = FLAT;
  /** @type {Mark[]} */
  #shown = [];

  /**
   * @param {Place[]} places that can be chosen
   * @param {Map<string, string>} tags by step, "" for none
   * @param {Place[]} [texts] what is written on the board, which dots leave free
   */
  show(places, tags, texts = []) {
    const tagOf = (/** @type {Place} */ { piece }) => tags.get(piece.step ?? "") ?? "";
    const plain = places.filter((place) => !tagOf(place));
    const dots = (plain.length > MOST ? [] : plain).map((place) => this.#dotIn(place, texts));
    const tagged = places.filter(tagOf).map((place) => this.#tagIn(place, tagOf(place)));
    this.#shown = [...dots, ...tagged];
    this.layer.replaceChildren(...this.#shown.map(([mark]) => mark));
    this.moveAll();
  }

  /** Move all to where their places are seen, as after a change of the view. */
  moveAll() {
    for (const [mark, { place, below, largest }] of this.#shown) {
      const { x, y } = this.#pointOf(place, below);
      mark.style.transform = `translate(${x}px, ${y}px) scale(min(var(--pixel, 1), ${largest}))`;
    }
  }

  /**
   * Hide the dot of a step, whose ghost is there now, and no other.
   * @param {string} step "" for none
   */
  hide(step) {
    for (const dot of this.layer.children) dot.classList.toggle("unseen", dot.getAttribute("data-at") === step);
  }

  /**
   * @param {Place} place
   * @param {Place[]} texts
   * @returns {Mark}
   */
  #dotIn(place, texts) {
    const dot = svg("circle");
    dot.setAttribute("r", String(RADIUS));
    dot.setAttribute("data-at", place.piece.step ?? "");
    const isCovered = texts.some((text) => isInside(this.#pointOf(place, 0), grown(this.#boxOf(text), RADIUS)));
    return [dot, { place, below: isCovered ? ASIDE * place.element.getBBox().height : 0, largest: ANY_SIZE }];
  }

  /**
   * The box of a text on the board: it stays upright.
   * @param {Place} text
   */
  #boxOf({ element, piece }) {
    const { x, y } = placeOf(this.view, piece);
    const box = element.getBBox();
    return { x: x + box.x, y: y + box.y, width: box.width, height: box.height };
  }

  /**
   * A tag at the lower edge of its place, so that what stands in the middle can be seen; at the upper one where the
   * scene says so, to leave what is written beside it free. On a board that is small on the screen it is no wider than
   * its place: tags would cover one another. What follows the first word, such as a gain after a price, is small.
   * @param {Place} place
   * @param {string} words
   * @returns {Mark}
   */
  #tagIn(place, words) {
    const [ground, text] = [svg("rect"), svg("text")];
    const [first = "", ...others] = words.split(" ");
    const rest = others.join(" ");
    const width = first.length * TAG.letter + (rest ? TAG.gap + rest.length * TAG.small : 0) + TAG.padding;
    const isAbove = place.piece.classes?.includes("tag-above") ?? false;
    const tag = svg("g", isAbove ? "tag above" : "tag");
    const top = isAbove ? 0 : -TAG.height;
    for (const [name, value] of Object.entries({ x: -width / 2, y: top, width, height: TAG.height, rx: 4 }))
      ground.setAttribute(name, String(value));
    text.setAttribute("y", String(top + TAG.height / 2));
    text.append(first, ...(rest ? [smallText(rest)] : []));
    tag.append(ground, text);
    tag.setAttribute("data-at", place.piece.step ?? "");
    const box = place.element.getBBox();
    return [tag, { place, below: (isAbove ? -1 : 1) * (box.height / 2), largest: box.width / width }];
  }

  /**
   * A point below the middle of a place: symbols are drawn about their own, a path may lie anywhere.
   * @param {Place} place
   * @param {number} below
   */
  #pointOf({ element, piece }, below) {
    const { x, y } = placeOf(this.view, piece);
    const box = piece.symbol ? { x: 0, y: 0, width: 0, height: 0 } : element.getBBox();
    const middle = project(this.view, { x: box.x + box.width / 2, y: box.y + box.height / 2 + below });
    return { x: x + middle.x, y: y + middle.y };
  }
}

/** @param {string} words */
function smallText(words) {
  const part = svg("tspan", "small");
  part.setAttribute("dx", String(TAG.gap));
  part.textContent = words;
  return part;
}
