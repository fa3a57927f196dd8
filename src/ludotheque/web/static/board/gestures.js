// @ts-check
// Panning and zooming the board, by wheel, fingers, keys and buttons.

import { part } from "../lib/dom.js";
import { distance, middleOf } from "./camera.js";

/** @typedef {import("./camera.js").Point} Point */

const BUTTON_FACTOR = 1.4;
const DRAG_DISTANCE = 6; // pixels a pointer may move and still click
const DOUBLE_TAP = 350; // milliseconds between two taps
const DOUBLE_TAP_DISTANCE = 30;
const DOUBLE_TAP_FACTOR = 2;
const NEVER = { x: 0, y: 0, time: Number.NEGATIVE_INFINITY };
/** @type {Record<string, Point>} by key: how much of what is in view the board moves */
const WAYS = {
  ArrowLeft: { x: -0.2, y: 0 },
  ArrowRight: { x: 0.2, y: 0 },
  ArrowUp: { x: 0, y: -0.2 },
  ArrowDown: { x: 0, y: 0.2 },
};

export class Gestures {
  /** Whether the pointer has moved the board since it went down. */
  hasDragged = false;
  /** Whether the wheel is for something else than zooming now; that is done then. */
  takesWheel = () => false;
  /** @type {Map<number, Point>} */
  #pointers = new Map();
  #lastTap = NEVER;

  /**
   * @param {SVGSVGElement} svg
   * @param {import("./framing.js").Framing} framing
   */
  constructor(svg, framing) {
    this.framing = framing;
    svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    document.addEventListener("pointerdown", () => this.#reset(), { capture: true });
    svg.addEventListener("pointerdown", (event) => this.#pointers.set(event.pointerId, pointOf(event)));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"])) {
      svg.addEventListener(end, (event) => this.#pointers.delete(event.pointerId));
    }
    svg.addEventListener("click", (event) => this.#tap(event));
  }

  /** Let the page's buttons and keys zoom. */
  listenToButtons() {
    part("zoom-in").addEventListener("click", () => this.framing.zoom(BUTTON_FACTOR));
    part("zoom-out").addEventListener("click", () => this.framing.zoom(1 / BUTTON_FACTOR));
    part("zoom-fit").addEventListener("click", () => this.framing.fit());
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * + and - zoom, 0 shows all, and arrows with Shift pan.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.matches("input, textarea, select")) return;
    const { framing } = this;
    const way = event.shiftKey ? WAYS[event.key] : undefined;
    if (event.key === "+") framing.zoom(BUTTON_FACTOR);
    else if (event.key === "-") framing.zoom(1 / BUTTON_FACTOR);
    else if (event.key === "0") framing.fit();
    else if (way && framing.isZoomed) framing.pan({ x: way.x * framing.shown.width, y: way.y * framing.shown.height });
    else return;
    event.preventDefault();
  }

  /**
   * Two taps beside what can be chosen zoom in, or out again.
   * @param {MouseEvent} event
   */
  #tap(event) {
    if (this.hasDragged || (event.target instanceof Element && event.target.closest(".choice, .picked"))) return;
    const tap = { ...pointOf(event), time: event.timeStamp };
    const last = this.#lastTap;
    const isDouble = tap.time - last.time < DOUBLE_TAP && distance(tap, last) < DOUBLE_TAP_DISTANCE;
    this.#lastTap = isDouble ? NEVER : tap;
    if (!isDouble) return;
    if (this.framing.isCloseUp) this.framing.fit();
    else this.framing.zoom(DOUBLE_TAP_FACTOR, this.#under(tap));
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const isTaken = !event.ctrlKey && this.takesWheel();
    if (!isTaken && !event.ctrlKey && !this.framing.isZoomed && event.deltaY > 0) return;
    event.preventDefault();
    if (!isTaken) this.framing.zoom(Math.exp(-event.deltaY / 300), this.#under(pointOf(event)));
  }

  #reset() {
    if (this.#pointers.size === 0) this.hasDragged = false;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const held = this.#pointers.get(event.pointerId);
    if (!held) return;
    const [from, spread] = [this.#middle(), this.#spread()];
    if (!this.hasDragged && distance(pointOf(event), held) < DRAG_DISTANCE) return;
    this.#pointers.set(event.pointerId, pointOf(event));
    this.#pan(this.#under(from), this.#under(this.#middle()));
    if (spread === 0) return;
    this.hasDragged = true;
    this.framing.zoom(this.#spread() / spread, this.#under(this.#middle()));
  }

  /**
   * @param {Point} from
   * @param {Point} to
   */
  #pan(from, to) {
    if (!this.framing.isZoomed) return;
    this.hasDragged = true;
    this.framing.pan({ x: from.x - to.x, y: from.y - to.y });
  }

  /** @param {Point} point */
  #under(point) {
    return this.framing.screen.under(point);
  }

  /** The middle of all pointers that are down. */
  #middle() {
    return middleOf([...this.#pointers.values()]);
  }

  /** The distance between two fingers; 0 with fewer than two. */
  #spread() {
    const [one, two] = [...this.#pointers.values()];
    return one && two ? distance(one, two) : 0;
  }
}

/**
 * @param {MouseEvent} event
 * @returns {Point}
 */
function pointOf({ clientX: x, clientY: y }) {
  return { x, y };
}
