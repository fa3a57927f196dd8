// @ts-check
// Panning and zooming the board, by wheel, fingers and buttons.

import { part } from "../lib/dom.js";
import { isLargeScreen } from "../lib/screen.js";

/** @typedef {{x: number, y: number}} Point */
/** @typedef {Point & {width: number, height: number}} Box */
/** @typedef {import("../wire").RenderedScene} Scene */

const SMALLEST_WIDTH = 120; // never zoom in further than this
const BUTTON_FACTOR = 1.4;
const DRAG_DISTANCE = 6; // pixels a pointer may move and still click
const DOUBLE_TAP = 350; // milliseconds between two taps
const DOUBLE_TAP_DISTANCE = 30;
const DOUBLE_TAP_FACTOR = 2;
const TOO_SMALL = 24; // pixels: a finger misses what is smaller
const LARGE_ENOUGH = 32;
const LEAST_FACTOR = 1.15; // less is not worth moving the board
const ROOM = 1.1; // what must be in view gets this many times its own size
const LEAST_TEXT = 11; // pixels of the smallest text
const LEAST_TEXT_ON_PHONE = 9;
/** @type {Record<string, Point>} */
const WAYS = {
  ArrowLeft: { x: -0.2, y: 0 },
  ArrowRight: { x: 0.2, y: 0 },
  ArrowUp: { x: 0, y: -0.2 },
  ArrowDown: { x: 0, y: 0.2 },
};

export class Viewport {
  /** Whether the pointer has moved the board since it went down. */
  dragged = false;
  /** @type {Box | null} what is in view while zoomed */
  #box = null;
  /** @type {Map<number, Point>} */
  #pointers = new Map();
  #whole = { x: 0, y: 0, width: 1, height: 1 };
  /** @type {Box | null} what stays in view while the board grows and must not move */
  #held = null;
  #isWholeWanted = false;
  #applied = ""; // the part of the board that the drawing shows; setting it again would lay out all of its text
  #unit = 1; // units of the board that are a pixel, as last set
  #isZoomedToRead = false; // and nothing else has moved the board since
  /** @type {Element[]} what a lesson talks about, or hints: it stays in view until somebody moves the board */
  #wanted = [];
  /** @type {Element[]} what was last brought into view */
  #revealed = [];
  /**
   * What was in view before small places were enlarged, at which scale and why; and what they choose.
   * @type {{before: Box | null, unit: number, wasToRead: boolean, steps: string} | null}
   */
  #enlarged = null;
  /** Whether the art is there, and with it the size of its text. */
  isReady = false;
  #lastTap = { x: 0, y: 0, time: 0 };
  /** Whether the wheel is for something else than zooming now; that is done then. */
  takesWheel = () => false;

  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.svg = svg;
    svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    document.addEventListener("pointerdown", () => this.#reset(), { capture: true });
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"])) {
      svg.addEventListener(end, (event) => this.#pointers.delete(event.pointerId));
    }
    svg.addEventListener("click", (event) => this.#tap(event));
    new ResizeObserver(() => this.#resize()).observe(svg);
  }

  /** Let the page's buttons zoom. */
  listenToButtons() {
    part("zoom-in").addEventListener("click", () => this.zoom(BUTTON_FACTOR));
    part("zoom-out").addEventListener("click", () => this.zoom(1 / BUTTON_FACTOR));
    part("zoom-fit").addEventListener("click", () => this.fit());
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * + and - zoom, 0 shows all, and arrows with Shift pan.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.matches("input, textarea, select")) return;
    const way = event.shiftKey ? WAYS[event.key] : undefined;
    if (event.key === "+") this.zoom(BUTTON_FACTOR);
    else if (event.key === "-") this.zoom(1 / BUTTON_FACTOR);
    else if (event.key === "0") this.fit();
    else if (way && this.#box) this.#set(moved(this.#box, { x: way.x * this.#box.width, y: way.y * this.#box.height }));
    else return;
    event.preventDefault();
  }

  /**
   * Two taps beside what can be chosen zoom in, or out again.
   * @param {MouseEvent} event
   */
  #tap(event) {
    if (this.dragged || (event.target instanceof Element && event.target.closest(".choice, .picked"))) return;
    const { clientX: x, clientY: y, timeStamp: time } = event;
    const last = this.#lastTap;
    const isDouble = time - last.time < DOUBLE_TAP && Math.hypot(x - last.x, y - last.y) < DOUBLE_TAP_DISTANCE;
    this.#lastTap = isDouble ? { x: 0, y: 0, time: 0 } : { x, y, time };
    if (!isDouble) return;
    if (this.#box && this.#box.width < this.#whole.width * 0.6) this.fit();
    else this.zoom(DOUBLE_TAP_FACTOR, this.#under({ x, y }));
  }

  /**
   * Show a scene of this size; while zoomed in, follow a board that grew to the left or upwards.
   * @param {Scene} scene
   * @param {Scene | null} before
   * @param {boolean} [holds] whether what is on the board must stay where it is on the screen
   * @returns {boolean} whether everything jumped
   */
  follow(scene, before, holds = false) {
    const old = this.#whole;
    this.#whole = { x: 0, y: 0, width: scene.width, height: scene.height };
    const hasGrown = before !== null && (before.width !== scene.width || before.height !== scene.height);
    const shift =
      before && (this.#box || this.#held || hasGrown || holds) ? commonShift(before, scene) : { x: 0, y: 0 };
    const jumps = shift.x !== 0 || shift.y !== 0; // a board can shift without growing
    this.#held = holds && (hasGrown || jumps || this.#held) ? moved(this.#held ?? old, shift) : null;
    if (this.#box) this.#box = moved(this.#box, shift);
    if (this.#enlarged?.before) this.#enlarged.before = moved(this.#enlarged.before, shift);
    this.#apply();
    return jumps;
  }

  /** Show all of the board. */
  fit() {
    this.#wanted = [];
    this.#enlarged = null;
    this.#box = null;
    this.#held = null;
    this.#isWholeWanted = true;
    this.#apply();
  }

  /**
   * Bring one of these places into view if none of them is; on a small screen, zoom in first as far as text can be read.
   * @param {Element[]} places
   */
  reveal(places) {
    if (!this.isReady) return;
    this.#revealed = places;
    if (!this.#box && !this.#isWholeWanted) this.#zoomToRead();
    if (!this.#box || places.length === 0) return;
    const { left, top, right, bottom, width } = this.svg.getBoundingClientRect();
    if (width === 0) return;
    const isIn = (/** @type {Point} */ { x, y }) => x > left && x < right && y > top && y < bottom;
    const boxes = places.map((place) => place.getBoundingClientRect());
    const middles = boxes.map((box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 }));
    if (middles.some(isIn)) return;
    const { x, y } = this.#under(nearestTo(middleOf(middles), middles));
    const size = this.#sizeInView();
    this.#set({ x: x - size.width / 2, y: y - size.height / 2, ...size });
  }

  /**
   * On a small screen, zoom in on places that are too small for a finger, and out again once there are others or none.
   * @param {Element[]} places
   * @param {Element[]} around what should be in view with them
   */
  enlarge(places, around) {
    if (!this.isReady || isLargeScreen() || this.#isWholeWanted) return;
    const steps = places.map((place) => place.getAttribute("data-step")).join();
    if (this.#enlarged?.steps === steps) return;
    this.#shrinkAgain();
    const least = leastTarget(places);
    if (least > 0 && least < TOO_SMALL) this.#enlargeBy(LARGE_ENOUGH / least, [...places, ...around], steps);
  }

  /**
   * Zoom in by a factor, or as far as all of these places stay in view.
   * @param {number} wanted
   * @param {Element[]} places
   * @param {string} steps what they choose
   */
  #enlargeBy(wanted, places, steps) {
    const { x, y, width, height } = this.#around(places);
    const box = this.#sizeInView(this.#unitOf(this.#box ?? this.#held ?? this.#whole));
    const factor = Math.min(wanted, box.width / (width * ROOM), box.height / (height * ROOM));
    if (factor < LEAST_FACTOR) return;
    const size = { width: box.width / factor, height: box.height / factor };
    this.#enlarged = { before: this.#box, unit: this.#unit, wasToRead: this.#isZoomedToRead, steps };
    this.#set({ x: x + (width - size.width) / 2, y: y + (height - size.height) / 2, ...size });
  }

  #shrinkAgain() {
    if (!this.#enlarged) return;
    const { before, unit, wasToRead } = this.#enlarged;
    this.#box = before;
    this.#unit = unit;
    this.#isZoomedToRead = wasToRead;
    this.#enlarged = null;
    this.#apply();
  }

  /**
   * Bring all of these places into view, and keep them there when the size of the screen changes.
   * @param {Element[]} places
   */
  revealAll(places) {
    this.#wanted = isLargeScreen() || this.#isWholeWanted ? [] : places;
    if (this.#wanted.length === 0) this.reveal(places);
    else if (!this.#box || !places.every((place) => isWithin(place, this.svg))) this.#showWanted();
  }

  /** When what was brought into view is gone, zoom in again at the same place as far as text can be read. */
  release() {
    if (this.#wanted.every((place) => place.isConnected)) return;
    this.#wanted = [];
    const { x, y, width, height } = this.#box ?? this.#whole;
    this.#zoomTo(() => ({ x: x + width / 2, y: y + height / 2, width: 0, height: 0 }));
  }

  #showWanted() {
    this.#zoomTo(() => this.#around(this.#wanted));
  }

  /**
   * Zoom in as far as text can be read, then out again as far as a part of the board needs.
   * @param {() => Box} measure that part, asked for when the text has its size
   */
  #zoomTo(measure) {
    if (!this.isReady) return;
    this.#box = null;
    this.#zoomToRead();
    if (!this.#box) return;
    const { x, y, width, height } = measure();
    const { width: across, height: down } = this.#box;
    const scale = Math.max(1, (width * ROOM) / across, (height * ROOM) / down);
    const box = {
      width: Math.min(across * scale, this.#whole.width),
      height: Math.min(down * scale, this.#whole.height),
    };
    this.#set({ x: x + (width - box.width) / 2, y: y + (height - box.height) / 2, ...box });
  }

  /**
   * The box around places of the board, in its units.
   * @param {Element[]} places
   * @returns {Box}
   */
  #around(places) {
    const boxes = places.map((place) => place.getBoundingClientRect());
    const { x, y } = this.#under({
      x: Math.min(...boxes.map((box) => box.left)),
      y: Math.min(...boxes.map((box) => box.top)),
    });
    const end = this.#under({
      x: Math.max(...boxes.map((box) => box.right)),
      y: Math.max(...boxes.map((box) => box.bottom)),
    });
    return { x, y, width: end.x - x, height: end.y - y };
  }

  /**
   * How much of the board is in view where a pixel is so many of its units: as large as it was set, if not told.
   * @param {number} [unit]
   */
  #sizeInView(unit = this.#unit) {
    const { width, height } = this.svg.getBoundingClientRect();
    return { width: Math.min(width * unit, this.#whole.width), height: Math.min(height * unit, this.#whole.height) };
  }

  /** The screen has another size: the text may need another zoom. */
  #resize() {
    this.#applied = "";
    if (this.#wanted.length > 0) {
      this.#showWanted();
    } else if (this.#isZoomedToRead) {
      this.#box = null;
      this.#zoomToRead();
    } else if (this.#box) {
      this.#keepScale(this.#box);
    }
    this.#apply();
  }

  /**
   * Show more or less of the board, as large as before, about the same middle.
   * @param {Box} box
   */
  #keepScale(box) {
    const { width, height } = this.#sizeInView();
    if (width === 0) return;
    this.#set({ x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height });
    this.reveal(this.#revealed.filter((place) => place.isConnected));
  }

  /** Zoom in until the smallest text has its least size, if the whole board would make it smaller on a small screen. */
  #zoomToRead() {
    if (isLargeScreen()) return;
    const { width, height } = this.svg.getBoundingClientRect();
    if (width === 0) return;
    this.#applied = "";
    this.#scaleText(this.#whole.width, this.#whole.height);
    const scale = this.#leastText / this.#smallestText();
    if (Math.min(width / this.#whole.width, height / this.#whole.height) > 0.98 * scale) return;
    const box = {
      width: Math.min(width / scale, this.#whole.width),
      height: Math.min(height / scale, this.#whole.height),
    };
    this.#set({ x: (this.#whole.width - box.width) / 2, y: (this.#whole.height - box.height) / 2, ...box });
    this.#isZoomedToRead = true;
  }

  /** The size of the smallest text of the board, in its own units. */
  #smallestText() {
    const sizes = [...this.svg.querySelectorAll("text:not(.ghosts text)")].map((text) =>
      Number.parseFloat(getComputedStyle(text).fontSize),
    );
    return sizes.length > 0 ? Math.min(...sizes) : Number.POSITIVE_INFINITY;
  }

  /**
   * Zoom by a factor about a point of the board; out again to the whole.
   * @param {number} factor
   * @param {Point} [at]
   */
  zoom(factor, at) {
    const box = this.#box ?? this.#held ?? this.#whole;
    this.#wanted = [];
    this.#enlarged = null;
    this.#isWholeWanted = false;
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
    this.#unit = this.#unitOf(box);
    this.#isZoomedToRead = false;
    this.#apply();
  }

  #apply() {
    const { x, y, width, height } = this.#box ?? this.#held ?? this.#whole;
    const wanted = `${x} ${y} ${width} ${height}`;
    if (this.#applied === wanted) return;
    this.#applied = wanted;
    this.svg.setAttribute("viewBox", wanted);
    this.#scaleText(width, height);
    this.svg.classList.toggle("zoomed", this.#box !== null);
  }

  /**
   * Tell the art how large, in its units, a pixel is, and the smallest text that can be read; some of it grows on small
   * screens.
   * @param {number} width of the part in view
   * @param {number} height
   */
  #scaleText(width, height) {
    const unit = this.#unitOf({ width, height });
    if (!Number.isFinite(unit)) return;
    this.svg.style.setProperty("--pixel", String(unit));
    this.svg.style.setProperty("--least-text", `${unit * this.#leastText}px`);
  }

  /**
   * How many units of the board are a pixel where a part of this size is in view.
   * @param {{width: number, height: number}} part
   */
  #unitOf({ width, height }) {
    const shown = this.svg.getBoundingClientRect();
    return Math.max(width / shown.width, height / shown.height);
  }

  get #leastText() {
    return isLargeScreen() ? LEAST_TEXT : LEAST_TEXT_ON_PHONE;
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
    if (!event.ctrlKey && this.takesWheel()) {
      event.preventDefault();
      return;
    }
    if (!event.ctrlKey && this.#box === null && event.deltaY > 0) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 300), this.#under({ x: event.clientX, y: event.clientY }));
  }

  #reset() {
    if (this.#pointers.size === 0) this.dragged = false;
  }

  /** @param {PointerEvent} event */
  #down(event) {
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
    this.#wanted = [];
    this.#enlarged = null;
    this.dragged = true;
    const [start, end] = [this.#under(from), this.#under(to)];
    this.#set({ ...this.#box, x: this.#box.x + start.x - end.x, y: this.#box.y + start.y - end.y });
  }

  /** The middle of all pointers that are down. */
  #middle() {
    return middleOf([...this.#pointers.values()]);
  }

  /** How far two fingers are apart; 0 with fewer than two. */
  #spread() {
    const [one, two] = [...this.#pointers.values()];
    return one && two ? Math.hypot(one.x - two.x, one.y - two.y) : 0;
  }
}

/**
 * @param {Box} box
 * @param {Point} by
 */
function moved(box, by) {
  return { ...box, x: box.x + by.x, y: box.y + by.y };
}

/**
 * Whether all of an element is within another on the screen.
 * @param {Element} inner
 * @param {Element} outer
 */
export function isWithin(inner, outer) {
  const [box, frame] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()];
  return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
}

/**
 * The width of the smallest target: a tap beside a piece chooses it too, where it is nearer than the others. The largest
 * of the pieces that choose the same thing counts.
 * @param {Element[]} places
 */
export function leastTarget(places) {
  const targets = places.map((place) => {
    const { x, y, width, height } = place.getBoundingClientRect();
    return { step: place.getAttribute("data-step") ?? "", x: x + width / 2, y: y + height / 2, width };
  });
  /** @type {Map<string, number>} by step */
  const widths = new Map();
  for (const { step, x, y, width } of targets) {
    const away = targets.filter((other) => other.step !== step).map((other) => Math.hypot(other.x - x, other.y - y));
    const room = Math.min(LARGE_ENOUGH, ...away);
    widths.set(step, Math.max(widths.get(step) ?? 0, width, room));
  }
  return Math.min(...widths.values());
}

/** @param {Point[]} points */
function middleOf(points) {
  const sum = points.reduce((total, point) => ({ x: total.x + point.x, y: total.y + point.y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

/**
 * @param {Point} point
 * @param {Point[]} points
 */
function nearestTo(point, points) {
  const distance = (/** @type {Point} */ { x, y }) => Math.hypot(x - point.x, y - point.y);
  return points.reduce((best, other) => (distance(other) < distance(best) ? other : best));
}

/**
 * How far most pieces on the board have moved from one scene to the next.
 * @param {Scene} before
 * @param {Scene} scene
 * @returns {Point}
 */
export function commonShift(before, scene) {
  const old = new Map(before.pieces.map((piece) => [piece.id, piece]));
  /** @type {Map<string, {count: number, x: number, y: number}>} */
  const shifts = new Map();
  for (const { id, symbol, x = 0, y = 0, in_tray: isInTray } of scene.pieces) {
    const known = old.get(id);
    if (!symbol || !known || isInTray) continue;
    const shift = { x: x - (known.x ?? 0), y: y - (known.y ?? 0) };
    const key = `${shift.x} ${shift.y}`;
    shifts.set(key, { ...shift, count: (shifts.get(key)?.count ?? 0) + 1 });
  }
  const [most] = [...shifts.values()].sort((one, two) => two.count - one.count);
  return { x: most?.x ?? 0, y: most?.y ?? 0 };
}
