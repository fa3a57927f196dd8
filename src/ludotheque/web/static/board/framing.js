// @ts-check
// The part of the board that is in view, and why: all of it, what someone zoomed to, what can be read or tapped on a
// small screen, or what a lesson talks about. Of a board that grows, a part of a legible size, which follows the game.

import {
  around,
  centred,
  centreOf,
  fullest,
  grown,
  isInside,
  isWithin,
  leastTarget,
  limited,
  middleOf,
  moved,
  movedInto,
  nearestTo,
  panned,
  scaled,
  unitOf,
} from "./camera.js";
import { boundsOf, FLAT, placeOf, project } from "./projection.js";
import { commonShift, isMapped } from "./scene.js";

/** @typedef {import("./camera.js").Point} Point */
/** @typedef {import("./camera.js").Size} Size */
/** @typedef {import("./camera.js").Box} Box */
/** @typedef {import("../wire").RenderedScene} Scene */
/** @typedef {Pick<import("./viewport.js").Viewport, keyof import("./viewport.js").Viewport>} Screen */

const SMALLEST_WIDTH = 120; // never zoom in further than this
const TOO_SMALL = 24; // pixels: a finger misses what is smaller
const LARGE_ENOUGH = 32;
const LEAST_FACTOR = 1.15; // less is not worth moving the board
const ROOM = 1.1; // what must be in view gets this many times its own size
const CLOSE_UP = 0.6; // of the board's width, or less, is in view
const MARGIN = 0.9; // sides of a piece around what is followed on a board that grows
const MARGIN_IN_VIEW = 0.25; // of the room that a small view leaves, on each side

export class Framing {
  /** Whether the art is there, and with it the size of its text. */
  isReady = false;
  #view = FLAT;
  #whole = { x: 0, y: 0, width: 1, height: 1 };
  /** @type {Box | null} what is in view while zoomed */
  #box = null;
  /** @type {Box | null} what stays in view while the board grows and must not move */
  #held = null;
  #holds = false; // whether what is on the board must stay where it is on the screen
  #unit = 1; // units of the board that are a pixel, as last set
  /** @type {Box | null} what was in view before something else was looked at */
  #beforeLook = null;
  #legible = 0; // the side of a piece that must stay legible on a board that grows; 0 on others
  /** @type {Point[]} where the pieces of a board that grows lie */
  #laid = [];
  /** Called when another part of the board is in view, and again when it has glided there. */
  onMove = () => {};
  /** Called when the board has glided to its place. */
  onArrival = () => {};
  #isWholeWanted = false;
  #isZoomedToRead = false; // and nothing else has moved the board since
  /** @type {Element[]} what a lesson talks about, or hints: it stays in view until someone moves the board */
  #wanted = [];
  #isWide = false; // text is too small to read, so that all that was wanted is in view
  /** @type {Element[]} what was last brought into view, unless someone has moved the board since */
  #revealed = [];
  /**
   * The view before small places were enlarged, its scale and the reason; and what the places choose.
   * @type {{before: Box | null, unit: number, wasToRead: boolean, steps: string} | null}
   */
  #enlarged = null;

  /** @param {Screen} screen */
  constructor(screen) {
    this.screen = screen;
    screen.onResize = () => this.#resize();
    screen.onArrival = () => {
      this.onMove();
      this.onArrival();
    };
  }

  /** Whether only a part of the board is in view. */
  get isZoomed() {
    return this.#box !== null && !isWithin(this.#whole, this.#box);
  }

  /** The whole board. */
  get whole() {
    return this.#whole;
  }

  /** Whether so little is in view that the whole is wanted next. */
  get isCloseUp() {
    return this.#box !== null && this.#box.width < this.#whole.width * CLOSE_UP;
  }

  /** The part of the board that is in view. */
  get shown() {
    return this.#box ?? this.#held ?? this.#whole;
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
    this.#holds = holds;
    this.#legible = scene.legible ?? 0;
    this.#whole = boundsOf(this.#view, scene);
    this.#laid = scene.pieces.filter(isMapped).map((piece) => placeOf(this.#view, piece));
    const hasGrown = before !== null && (before.width !== scene.width || before.height !== scene.height);
    const shift =
      before && (this.#box || this.#held || hasGrown || holds) ? this.#shiftOf(before, scene) : { x: 0, y: 0 };
    const jumps = shift.x !== 0 || shift.y !== 0; // a board can shift without growing
    this.#held = holds && (hasGrown || jumps || this.#held) ? moved(this.#held ?? old, shift) : null;
    if (this.#box) this.#box = moved(this.#box, shift);
    if (this.#beforeLook) this.#beforeLook = moved(this.#beforeLook, shift);
    if (this.#enlarged?.before) this.#enlarged.before = moved(this.#enlarged.before, shift);
    if (this.#legible && !this.#box && !this.#isWholeWanted) this.#showLegible();
    this.#apply();
    return jumps;
  }

  /**
   * @param {Scene} before
   * @param {Scene} scene
   */
  #shiftOf(before, scene) {
    return project(this.#view, commonShift(before, scene));
  }

  // Actions of the reader.

  /**
   * Show a scene in another view, as at the beginning.
   * @param {import("./projection.js").Projection} view
   * @param {Scene} scene
   */
  tilt(view, scene) {
    this.#view = view;
    this.#leaveWanted();
    this.#box = null;
    this.#isWholeWanted = false;
    this.follow(scene, null);
  }

  /** Show all of the board. */
  fit() {
    this.#leaveWanted();
    this.#box = null;
    this.#held = null;
    this.#isWholeWanted = true;
    this.#isZoomedToRead = false;
    this.#apply();
  }

  /** On a large screen, show all of a board that grows: nothing more is laid there. */
  showAll() {
    if (this.#legible && this.screen.isLarge) this.fit();
  }

  /**
   * Zoom by a factor about a point of the board; out again to the whole.
   * @param {number} factor
   * @param {Point} [at]
   */
  zoom(factor, at) {
    const box = this.shown;
    this.#leaveWanted();
    this.#isWholeWanted = false;
    const width = Math.max(SMALLEST_WIDTH, box.width / factor);
    const part = scaled(box, width / box.width, at ?? centreOf(box));
    if (isWithin(this.#whole, movedInto(part, this.#whole))) this.fit();
    else this.#set(part);
  }

  /**
   * Move the part in view, while it is a part.
   * @param {Point} by
   */
  pan(by) {
    if (!this.#box || !this.isZoomed) return;
    this.#leaveWanted();
    this.#set(moved(this.#box, by));
  }

  /**
   * Put a point of the board into the middle of the part in view.
   * @param {Point} point
   */
  centre(point) {
    const { x, y } = centreOf(this.shown);
    this.pan({ x: point.x - x, y: point.y - y });
  }

  #leaveWanted() {
    this.#beforeLook = null;
    this.#wanted = [];
    this.#revealed = [];
    this.#enlarged = null;
  }

  // Wishes of the page.

  /**
   * Bring one of these places into view if none of them is, a small screen all of them if they fit; before that it zooms
   * in as far as text can be read.
   * @param {Element[]} places
   */
  reveal(places) {
    if (!this.isReady) return;
    if (places.length > 0) this.#revealed = places;
    if (!this.#box && !this.#isWholeWanted && !this.#legible) this.#zoomToRead();
    if (!this.#box || places.length === 0) return;
    const screen = this.screen.box;
    if (screen.width === 0) return;
    if (this.#legible) {
      this.#panTo(places, centred(this.#sizeInView(), centreOf(this.#box))); // the screen may have a new size
      return;
    }
    const boxes = boxesOf(places);
    const middles = boxes.map(centreOf);
    const inside = middles.filter((middle) => isInside(middle, screen)).length;
    if (inside < places.length && this.#fits(places))
      this.#set(centred(this.#sizeInView(), centreOf(this.#around(places))));
    else if (inside > 0 && !boxes.every((box) => isWithin(box, screen)) && this.#fits(places))
      this.#set(panned(this.#box, this.#around(places))); // some were cut by the edge
    else if (inside === 0)
      this.#set(centred(this.#sizeInView(), this.screen.under(nearestTo(middleOf(middles), middles))));
  }

  /**
   * Whether a small screen shows all of these places at the present scale.
   * @param {Element[]} places
   */
  #fits(places) {
    const [part, size] = [this.#around(places), this.#sizeInView()];
    return !this.screen.isLarge && part.width <= size.width && part.height <= size.height;
  }

  /**
   * Bring what was played last into view, where a part of the board is.
   * @param {Element[]} places
   */
  followLast(places) {
    if (this.#legible || !this.screen.isLarge) this.reveal(places);
  }

  /**
   * Glide to all of these places if there is room for them, with as much as possible of what lies on the board; otherwise
   * to the nearest one if none is in view. While a turn is being composed, places in view move nothing.
   * @param {Element[]} places
   * @param {Box} view
   */
  #panTo(places, view) {
    const margin = MARGIN * this.#legible;
    const boxes = places.map((place) => this.#around([place]));
    const bare = around(boxes);
    const room = Math.min(view.width - bare.width, view.height - bare.height);
    const all = grown(bare, Math.min(margin, room * MARGIN_IN_VIEW));
    const middles = boxes.map(centreOf);
    if (isWithin(this.#holds ? bare : all, view)) this.#glide(view);
    else if (room > 0) this.#glide(fullest(view, all, this.#laid, this.#legible));
    else if (!middles.some((middle) => isInside(middle, view))) {
      const nearest = nearestTo(centreOf(view), middles);
      this.#glide(panned(view, grown({ ...nearest, width: 0, height: 0 }, 1.5 * margin)));
    }
  }

  /**
   * Show all of some places for a while, on a board that grows; without any, what was in view before.
   * @param {Element[]} places
   */
  look(places) {
    if (places.length > 0) this.#lookAt(places);
    else if (this.#beforeLook) this.#set(this.#beforeLook);
    if (places.length === 0) this.#beforeLook = null;
  }

  /** @param {Element[]} places */
  #lookAt(places) {
    if (!this.#legible || !this.#box) return;
    this.#beforeLook ??= this.#box;
    const part = grown(this.#around(places), MARGIN * this.#legible);
    const { width, height } = this.#beforeLook;
    const scale = Math.max(1, part.width / width, part.height / height);
    this.#set(panned(scaled(this.#beforeLook, scale, centreOf(this.#beforeLook)), part));
  }

  /** Show a part of the board in which pieces are just large enough to read. */
  #showLegible() {
    const { width, height } = this.screen.box;
    if (width === 0) return;
    const unit = this.#legible / this.screen.leastPiece;
    this.#set(centred({ width: width * unit, height: height * unit }, centreOf(this.#whole)));
  }

  /**
   * Bring all of these places into view, and keep them there when the size of the screen changes.
   * @param {Element[]} places
   */
  revealAll(places) {
    if (this.#legible) {
      this.reveal(places);
      return;
    }
    this.#wanted = this.screen.isLarge || this.#isWholeWanted ? [] : places;
    if (this.#wanted.length === 0) this.reveal(places);
    else if (!this.#box || this.#isWide || !boxesOf(places).every((box) => isWithin(box, this.screen.box))) {
      this.#showWanted();
    }
  }

  /** When what was brought into view is gone, zoom in again at the same place as far as text can be read. */
  release() {
    if (this.#wanted.every((place) => place.isConnected)) return;
    this.#wanted = [];
    const centre = centreOf(this.#box ?? this.#whole);
    this.#zoomTo(() => ({ ...centre, width: 0, height: 0 }));
  }

  /**
   * On a small screen, zoom in on places that are too small for a finger, and out again once there are others or none.
   * @param {Element[]} places
   * @param {Element[]} others what should be in view with them
   */
  enlarge(places, others) {
    if (!this.isReady || this.screen.isLarge || this.#isWholeWanted || this.#legible) return;
    const steps = places.map(stepOf).join();
    if (this.#enlarged?.steps === steps) return;
    this.#shrinkAgain();
    const least = leastTarget(boxesOf(places), places.map(stepOf));
    if (least > 0 && least < TOO_SMALL) this.#enlargeBy(LARGE_ENOUGH / least, [...places, ...others], steps);
  }

  /**
   * Zoom in by a factor, or as far as all of these places stay in view.
   * @param {number} wanted
   * @param {Element[]} places
   * @param {string} steps what they choose
   */
  #enlargeBy(wanted, places, steps) {
    const part = this.#around(places);
    const box = this.#sizeInView(unitOf(this.shown, this.screen.box));
    const factor = Math.min(wanted, box.width / (part.width * ROOM), box.height / (part.height * ROOM));
    if (factor < LEAST_FACTOR) return;
    this.#enlarged = { before: this.#box, unit: this.#unit, wasToRead: this.#isZoomedToRead, steps };
    this.#set(centred({ width: box.width / factor, height: box.height / factor }, centreOf(part)));
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
    const part = measure();
    const { width, height } = this.#box;
    const scale = Math.max(1, (part.width * ROOM) / width, (part.height * ROOM) / height);
    this.#set(centred(limited({ width: width * scale, height: height * scale }, this.#whole), centreOf(part)));
    this.#isWide = scale > 1;
  }

  /** Zoom in until the smallest text has its least size, if the whole board would make it smaller on a small screen. */
  #zoomToRead() {
    if (this.screen.isLarge) return;
    const { width, height } = this.screen.box;
    if (width === 0) return;
    const scale = this.screen.leastText / this.screen.smallestTextIn(this.#whole);
    if (Math.min(width / this.#whole.width, height / this.#whole.height) > 0.98 * scale) return;
    const size = limited({ width: width / scale, height: height / scale }, this.#whole);
    this.#set(centred(size, centreOf(this.#whole)));
    this.#isZoomedToRead = true;
  }

  /** The screen has another size: the text may need another zoom. */
  #resize() {
    if (this.#wanted.length > 0) {
      this.#showWanted();
    } else if (this.#isZoomedToRead) {
      this.#box = null;
      this.#zoomToRead();
      this.#revealAgain();
    } else if (this.#box) {
      this.#keepScale(this.#box);
    } else if (this.#legible && !this.#isWholeWanted) {
      this.#showLegible();
    }
    this.#apply();
  }

  /**
   * Show more or less of the board, as large as before, about the same middle.
   * @param {Box} box
   */
  #keepScale(box) {
    const size = this.#sizeInView();
    if (size.width === 0) return;
    this.#set(centred(size, centreOf(box)));
    this.#revealAgain();
  }

  /** Bring into view again what was, on a screen of another size. */
  #revealAgain() {
    this.reveal(this.#revealed.filter((place) => place.isConnected));
  }

  /**
   * The box around places of the board, in its units.
   * @param {Element[]} places
   * @returns {Box}
   */
  #around(places) {
    const { x, y, width, height } = around(boxesOf(places));
    const start = this.screen.under({ x, y });
    const end = this.screen.under({ x: x + width, y: y + height });
    return { ...start, width: end.x - start.x, height: end.y - start.y };
  }

  /**
   * The part of the board in view where a pixel is so many of its units: as large as it was set, if not told.
   * @param {number} [unit]
   */
  #sizeInView(unit = this.#unit) {
    const { width, height } = this.screen.box;
    const size = { width: width * unit, height: height * unit };
    return this.#legible ? size : limited(size, this.#whole);
  }

  /** @param {Box} box */
  #set(box) {
    this.#box = movedInto(box, this.#whole);
    this.#unit = unitOf(box, this.screen.box);
    this.#isZoomedToRead = false;
    this.#isWide = false;
    this.#apply();
  }

  /** @param {Box} box */
  #glide(box) {
    const { x, y } = this.shown;
    if (box.x === x && box.y === y) return;
    this.screen.glide(() => this.#set(box));
  }

  #apply() {
    this.screen.show(this.shown, this.isZoomed);
    this.onMove();
  }
}

/** @param {Element} place */
function stepOf(place) {
  return place.getAttribute("data-step") ?? "";
}

/** @param {Element[]} places */
function boxesOf(places) {
  return places.map((place) => place.getBoundingClientRect());
}
