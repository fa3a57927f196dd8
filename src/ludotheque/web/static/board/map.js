// @ts-check
// A small map of a board of which only a part is in view: where its pieces are, and which part that is. A press on it
// goes there. It lies in a corner without anything to choose.

import { isInside } from "./camera.js";
import { svg } from "./piece.js";
import { isMapped } from "./scene.js";

/** @typedef {import("./camera.js").Point} Point */
/** @typedef {import("./camera.js").Box} Box */
/** @typedef {import("../wire").RenderedPiece} Piece */

const CORNERS = ["lower right", "lower left", "upper right", "upper left"];

export class BoardMap {
  element = svg("svg", "map");
  #pieces = svg("path", "map-pieces");
  #last = svg("path", "map-last");
  #view = svg("rect", "map-view");

  /** @param {import("./framing.js").Framing} framing */
  constructor(framing) {
    this.framing = framing;
    this.element.setAttribute("aria-hidden", "true"); // keys pan the board too
    this.element.append(this.#pieces, this.#last, this.#view);
    this.element.addEventListener("pointerdown", (event) => this.#press(event));
    this.element.addEventListener("pointermove", (event) => event.buttons > 0 && this.#press(event));
  }

  /** @param {import("../wire").RenderedScene} scene */
  show({ pieces, legible = 0 }) {
    const isLast = (/** @type {Piece} */ { classes, in_tray: isInTray }) => !isInTray && /\blast\b/.test(classes ?? "");
    this.#pieces.setAttribute("d", squares(pieces.filter(isMapped), legible));
    this.#last.setAttribute("d", squares(pieces.filter(isLast), legible));
    this.follow();
  }

  /** Whether there is more of the board than is in view. */
  get #isWanted() {
    return this.framing.isZoomed && Boolean(this.#pieces.getAttribute("d"));
  }

  /** Show the part in view, unless that is all. */
  follow() {
    const { whole, shown } = this.framing;
    this.element.classList.toggle("unseen", !this.#isWanted);
    this.element.setAttribute("viewBox", `${whole.x} ${whole.y} ${whole.width} ${whole.height}`);
    this.element.style.aspectRatio = `${whole.width} / ${whole.height}`;
    for (const [name, value] of Object.entries(shown)) this.#view.setAttribute(name, String(value));
  }

  /**
   * Move to the first corner of the board that has none of these points; with one in each corner there is no map.
   * @param {Point[]} points of the screen
   */
  avoid(points) {
    if (!this.#isWanted) return; // to measure it would lay out the page
    const isFree = (/** @type {string} */ corner) => {
      this.element.dataset.corner = corner;
      const box = this.element.getBoundingClientRect();
      return !points.some((point) => isInside(point, box));
    };
    if (!CORNERS.some(isFree)) this.element.classList.add("unseen");
  }

  /** @param {PointerEvent} event */
  #press(event) {
    event.preventDefault();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.element.getScreenCTM()?.inverse());
    this.framing.centre({ x, y });
  }
}

/**
 * @param {Piece[]} pieces by their middles
 * @param {number} side
 */
function squares(pieces, side) {
  return pieces.map(({ x = 0, y = 0 }) => `M${x - side / 2} ${y - side / 2}h${side}v${side}h${-side}z`).join("");
}
