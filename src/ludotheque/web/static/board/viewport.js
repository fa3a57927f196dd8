// @ts-check
// Panning and zooming the board, by wheel, fingers and buttons.

import { part } from "../lib/dom.js";

/** @typedef {{x: number, y: number}} Point */
/** @typedef {Point & {width: number, height: number}} Box */
/** @typedef {import("../wire").RenderedScene} Scene */

const SMALLEST_WIDTH = 120; // never zoom in further than this
const BUTTON_FACTOR = 1.4;
const DRAG_DISTANCE = 6; // pixels a pointer may move and still click

export class Viewport {
  /** Whether the pointer has moved the board since it went down. */
  dragged = false;
  /** @type {Box | null} what is in view while zoomed */
  #box = null;
  /** @type {Map<number, Point>} */
  #pointers = new Map();
  #whole = { x: 0, y: 0, width: 1, height: 1 };

  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.svg = svg;
    svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"])) {
      svg.addEventListener(end, (event) => this.#pointers.delete(event.pointerId));
    }
  }

  /** Let the page's buttons zoom. */
  listenToButtons() {
    part("zoom-in").addEventListener("click", () => this.zoom(BUTTON_FACTOR));
    part("zoom-out").addEventListener("click", () => this.zoom(1 / BUTTON_FACTOR));
    part("zoom-fit").addEventListener("click", () => this.fit());
  }

  /**
   * Show a scene of this size; while zoomed in, follow a board that grew to the left or upwards.
   * @param {Scene} scene
   * @param {Scene | null} before
   * @returns {boolean} whether everything jumped
   */
  follow(scene, before) {
    this.#whole = { x: 0, y: 0, width: scene.width, height: scene.height };
    const { x, y } = this.#box && before ? commonShift(before, scene) : { x: 0, y: 0 };
    if (this.#box) this.#box = { ...this.#box, x: this.#box.x + x, y: this.#box.y + y };
    this.#apply();
    return x !== 0 || y !== 0;
  }

  fit() {
    this.#box = null;
    this.#apply();
  }

  /**
   * Zoom by a factor about a point of the board; out again to the whole.
   * @param {number} factor
   * @param {Point} [at]
   */
  zoom(factor, at) {
    const box = this.#box ?? this.#whole;
    const width = Math.max(SMALLEST_WIDTH, box.width / factor);
    if (width >= this.#whole.width) {
      this.fit();
      return;
    }
    const { x, y } = at ?? { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const scale = width / box.width;
    this.#set({ x: x - (x - box.x) * scale, y: y - (y - box.y) * scale, width, height: box.height * scale });
  }

  /** @param {Box} box */
  #set(box) {
    const whole = this.#whole;
    const x = Math.min(Math.max(box.x, whole.x), whole.x + whole.width - box.width);
    const y = Math.min(Math.max(box.y, whole.y), whole.y + whole.height - box.height);
    this.#box = { ...box, x, y };
    this.#apply();
  }

  #apply() {
    const { x, y, width, height } = this.#box ?? this.#whole;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.svg.classList.toggle("zoomed", this.#box !== null);
  }

  /**
   * The point of the board under a point of the screen.
   * @param {Point} point
   * @returns {Point}
   */
  #under({ x, y }) {
    const { x: left, y: top } = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM()?.inverse());
    return { x: left, y: top };
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!event.ctrlKey && this.#box === null && event.deltaY > 0) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 300), this.#under({ x: event.clientX, y: event.clientY }));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (this.#pointers.size === 0) this.dragged = false;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const held = this.#pointers.get(event.pointerId);
    if (!held) return;
    const [from, spread] = [this.#middle(), this.#spread()];
    if (!this.dragged && Math.hypot(event.clientX - held.x, event.clientY - held.y) < DRAG_DISTANCE) return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#pan(from, this.#middle());
    if (spread === 0) return;
    this.dragged = true;
    this.zoom(this.#spread() / spread, this.#under(this.#middle()));
  }

  /**
   * @param {Point} from
   * @param {Point} to
   */
  #pan(from, to) {
    if (!this.#box) return;
    this.dragged = true;
    const [start, end] = [this.#under(from), this.#under(to)];
    this.#set({ ...this.#box, x: this.#box.x + start.x - end.x, y: this.#box.y + start.y - end.y });
  }

  /** The middle of all pointers that are down. */
  #middle() {
    const all = [...this.#pointers.values()];
    const sum = all.reduce((total, point) => ({ x: total.x + point.x, y: total.y + point.y }), { x: 0, y: 0 });
    return { x: sum.x / all.length, y: sum.y / all.length };
  }

  /** How far two fingers are apart; 0 with fewer than two. */
  #spread() {
    const [one, two] = [...this.#pointers.values()];
    return one && two ? Math.hypot(one.x - two.x, one.y - two.y) : 0;
  }
}

/**
 * How far most pieces have moved from one scene to the next.
 * @param {Scene} before
 * @param {Scene} scene
 * @returns {Point}
 */
export function commonShift(before, scene) {
  const old = new Map(before.pieces.map((piece) => [piece.id, piece]));
  /** @type {Map<string, {count: number, x: number, y: number}>} */
  const shifts = new Map();
  for (const { id, symbol, x = 0, y = 0 } of scene.pieces) {
    const known = old.get(id);
    if (!symbol || !known) continue;
    const shift = { x: x - (known.x ?? 0), y: y - (known.y ?? 0) };
    const key = `${shift.x} ${shift.y}`;
    shifts.set(key, { ...shift, count: (shifts.get(key)?.count ?? 0) + 1 });
  }
  const [most] = [...shifts.values()].sort((one, two) => two.count - one.count);
  return { x: most?.x ?? 0, y: most?.y ?? 0 };
}
