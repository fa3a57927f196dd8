// @ts-check
// The drawing of the board as a window on a part of it.

import { pace } from "../lib/motion.js";
import { isLargeScreen } from "../lib/screen.js";
import { unitOf } from "./camera.js";

/** @typedef {import("./camera.js").Point} Point */
/** @typedef {import("./camera.js").Size} Size */
/** @typedef {import("./camera.js").Box} Box */

const LEAST_TEXT = 12; // pixels of the smallest text
const LEAST_PIECE = 96; // pixels of a piece of a board that grows
const LEAST_PIECE_ON_PHONE = 72;
const GLIDE = 350; // milliseconds

export class Viewport {
  #shown = ""; // the part of the board that the drawing shows; setting it again would lay out all of its text
  /** Called when the drawing has another size on the screen. */
  onResize = () => {};
  /** Called when the drawing has glided to its place. */
  onArrival = () => {};

  /**
   * @param {SVGSVGElement} svg
   * @param {SVGSVGElement} ground the drawing that lies under it and shows the same part
   */
  constructor(svg, ground) {
    this.svg = svg;
    this.drawings = [svg, ground];
    new ResizeObserver(() => {
      this.#shown = "";
      this.onResize();
    }).observe(svg);
  }

  /** The drawing's place on the screen. @type {Box} */
  get box() {
    return this.svg.getBoundingClientRect();
  }

  get isLarge() {
    return isLargeScreen();
  }

  /** The least size of text, in pixels. */
  get leastText() {
    return LEAST_TEXT;
  }

  /** The least side of a piece of a board that grows, in pixels. */
  get leastPiece() {
    return this.isLarge ? LEAST_PIECE : LEAST_PIECE_ON_PHONE;
  }

  /**
   * The point of the board under a point of the screen.
   * @param {Point} point
   * @returns {Point}
   */
  under({ x, y }) {
    const { x: left, y: top } = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM()?.inverse());
    return { x: left, y: top };
  }

  /**
   * @param {Box} part
   * @param {boolean} isZoomed
   */
  show(part, isZoomed) {
    const { x, y, width, height } = part;
    const shown = `${x} ${y} ${width} ${height}`;
    if (this.#shown === shown) return;
    this.#shown = shown;
    for (const svg of this.drawings) svg.setAttribute("viewBox", shown);
    this.#scaleText(part);
    this.svg.classList.toggle("zoomed", isZoomed);
  }

  /**
   * Let the drawing glide from the part in view to the one that `change` shows, of the same size. The drawing as a whole
   * is moved, so that nothing of it is painted again on the way.
   * @param {() => void} change
   */
  glide(change) {
    const before = this.under({ x: 0, y: 0 });
    change();
    const after = this.under({ x: 0, y: 0 });
    const scale = this.svg.getScreenCTM()?.a || 1;
    const from = `translate(${(after.x - before.x) * scale}px, ${(after.y - before.y) * scale}px)`;
    const options = { duration: GLIDE * pace(), easing: "cubic-bezier(0.3, 0.1, 0.2, 1)" };
    if (options.duration === 0) return;
    const [glide] = this.drawings.map((svg) => svg.animate([{ transform: from }, { transform: "none" }], options));
    if (glide) glide.onfinish = () => this.onArrival();
  }

  /**
   * The size of the smallest text of the board, in its own units, while a part of this size is in view.
   * @param {Size} part
   */
  smallestTextIn(part) {
    this.#shown = "";
    this.#scaleText(part);
    const texts = this.drawings.flatMap((svg) => [...svg.querySelectorAll("text:not(.ghosts text)")]);
    return Math.min(...texts.map((text) => Number.parseFloat(getComputedStyle(text).fontSize)));
  }

  /**
   * Tell the art how large, in its units, a pixel is, and the smallest text that can be read; some of it grows on small
   * screens.
   * @param {Size} part in view
   */
  #scaleText(part) {
    const unit = unitOf(part, this.box);
    if (!Number.isFinite(unit)) return;
    for (const { style } of this.drawings) {
      style.setProperty("--pixel", String(unit));
      style.setProperty("--least-text", `${unit * this.leastText}px`);
    }
  }
}
