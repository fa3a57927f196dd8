// @ts-check
// A small map of a board of which only a part is in view: where its pieces are, which part that is, and the places that
// can be chosen, for those out of view. A press on it goes there. It lies in a corner without anything to choose, where
// it covers the fewest pieces. On a small screen it is the size of a button, and a tap opens it for one look.

import { cornersOf, grown, isInside, overlaps } from "./camera.js";
import { svg } from "./piece.js";
import { isMapped } from "./scene.js";

/** @typedef {import("./camera.js").Point} Point */
/** @typedef {import("./camera.js").Box} Box */
/** @typedef {import("../wire").RenderedPiece} Piece */

const CORNERS = ["lower right", "lower left", "upper right", "upper left"];
const EDGE = 8; // pixels from the map to the edges of the board, as in the styles
const STAYING = 3; // so many pieces more must the map cover for it to leave its corner
const DOT = 0.7; // of the side of a piece
const SEEN = 0.3; // of the side of a piece, from its middle: what must be in view

export class BoardMap {
  element = svg("svg", "map");
  #pieces = svg("path", "map-pieces");
  #last = svg("path", "map-last");
  #choices = svg("path", "map-choices");
  #view = svg("rect", "map-view");
  #side = 0;
  /** @type {Point[]} the middles of the pieces */
  #laid = [];
  /** @type {Point[]} the middles of the places that can be chosen */
  #places = [];
  #isOpen = false;
  #isPressed = false; // since it was open

  /** @param {import("./framing.js").Framing} framing */
  constructor(framing) {
    this.framing = framing;
    this.element.setAttribute("aria-hidden", "true"); // keys pan the board too
    this.element.append(this.#pieces, this.#last, this.#choices, this.#view);
    this.element.addEventListener("pointerdown", (event) => this.#press(event));
    this.element.addEventListener("pointermove", (event) => this.#isPressed && event.buttons > 0 && this.#goTo(event));
    this.element.addEventListener("pointerup", () => this.#isPressed && this.#open(false));
    document.addEventListener("pointerdown", (event) => {
      if (this.#isOpen && !event.composedPath().includes(this.element)) this.#open(false);
    });
  }

  /** @param {boolean} isOpen */
  #open(isOpen) {
    this.#isOpen = isOpen;
    this.#isPressed = false;
    this.follow();
  }

  /** @param {import("../wire").RenderedScene} scene */
  show({ pieces, legible = 0 }) {
    const isLast = (/** @type {Piece} */ { classes, in_tray: isInTray }) => !isInTray && /\blast\b/.test(classes ?? "");
    const laid = pieces.filter(isMapped);
    this.#side = legible;
    this.#laid = laid.map(({ x = 0, y = 0 }) => ({ x, y }));
    this.#pieces.setAttribute("d", squares(laid, legible));
    this.#last.setAttribute("d", squares(pieces.filter(isLast), legible));
    this.follow();
  }

  /**
   * Mark the places that can be chosen.
   * @param {Piece[]} places
   */
  mark(places) {
    this.#places = places.map(({ x = 0, y = 0 }) => ({ x, y }));
    this.#choices.setAttribute("d", squares(places, DOT * this.#side));
    this.follow();
  }

  /** Whether a piece or a place is out of view: empty land needs no map. */
  get #isWanted() {
    const { isZoomed, shown } = this.framing;
    return this.#laid.length > 0 && isZoomed && !areInView([...this.#laid, ...this.#places], shown, this.#side);
  }

  /** Show the part in view, unless that is all. */
  follow() {
    const { whole, shown } = this.framing;
    this.element.classList.toggle("unseen", !this.#isWanted);
    if (!this.#isWanted) return;
    this.element.classList.toggle("folded", !this.framing.screen.isLarge && !this.#isOpen);
    this.element.classList.toggle("open", this.#isOpen);
    this.element.setAttribute("viewBox", `${whole.x} ${whole.y} ${whole.width} ${whole.height}`);
    this.element.style.aspectRatio = `${whole.width} / ${whole.height}`;
    for (const [name, value] of Object.entries(shown)) this.#view.setAttribute(name, String(value));
  }

  /**
   * Move to a corner of the board that has none of these points and boxes; with one in each corner there is no map.
   * @param {Point[]} points of the screen
   * @param {Box[]} boxes of the screen
   */
  avoid(points, boxes) {
    if (!this.#isWanted || this.#isOpen) return; // to measure it would lay out the page
    const host = this.element.parentElement?.getBoundingClientRect();
    if (!host) return;
    const size = this.element.getBoundingClientRect();
    const corner = bestCorner(
      CORNERS.map((name) => ({ name, box: cornerBox(name, host, size) })),
      this.element.dataset.corner ?? "",
      (box) => !points.some((point) => isInside(point, box)) && !boxes.some((other) => overlaps(other, box)),
      (box) => this.#countUnder(box),
    );
    this.element.dataset.corner = corner;
    this.element.classList.toggle("unseen", !corner);
  }

  /**
   * The number of pieces that a box of the screen covers, also in part.
   * @param {Box} box
   */
  #countUnder(box) {
    const [start, , , end] = cornersOf(box).map((corner) => this.framing.screen.under(corner));
    if (!start || !end) return 0;
    const part = grown({ ...start, width: end.x - start.x, height: end.y - start.y }, this.#side / 2);
    return this.#laid.filter((middle) => isInside(middle, part)).length;
  }

  /**
   * Open the map, or go to a place of it; where it was opened, it is put away when the pointer is lifted.
   * @param {PointerEvent} event
   */
  #press(event) {
    event.preventDefault();
    if (this.element.classList.contains("folded")) {
      this.#open(true);
      return;
    }
    this.#isPressed = true;
    this.#goTo(event);
  }

  /** @param {PointerEvent} event */
  #goTo(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.element.getScreenCTM()?.inverse());
    this.framing.centre({ x, y });
  }
}

/**
 * Whether pieces are in view, but for their edges.
 * @param {Point[]} middles
 * @param {Box} view
 * @param {number} side of each piece
 */
export function areInView(middles, view, side) {
  const inner = grown(view, -side * SEEN);
  return middles.every((middle) => isInside(middle, inner));
}

/**
 * The box of a corner of the board.
 * @param {string} name
 * @param {Box} host
 * @param {import("./camera.js").Size} size
 * @returns {Box}
 */
function cornerBox(name, host, { width, height }) {
  const x = name.endsWith("right") ? host.x + host.width - EDGE - width : host.x + EDGE;
  const y = name.startsWith("lower") ? host.y + host.height - EDGE - height : host.y + EDGE;
  return { x, y, width, height };
}

/**
 * The free corner that covers least; the present one unless another is clearly better, "" without a free one.
 * @param {{name: string, box: Box}[]} corners
 * @param {string} present
 * @param {(box: Box) => boolean} isFree
 * @param {(box: Box) => number} covered how much a box covers
 */
export function bestCorner(corners, present, isFree, covered) {
  const free = corners.filter(({ box }) => isFree(box));
  const costs = free.map(({ name, box }) => covered(box) - (name === present ? STAYING : 0));
  return free[costs.indexOf(Math.min(...costs))]?.name ?? "";
}

/**
 * @param {Piece[]} pieces by their middles
 * @param {number} side
 */
function squares(pieces, side) {
  return pieces.map(({ x = 0, y = 0 }) => `M${x - side / 2} ${y - side / 2}h${side}v${side}h${-side}z`).join("");
}
