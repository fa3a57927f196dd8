// Which part of the board is in view, on the module that is served; the screen is simulated.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { unitOf } from "../../../src/ludotheque/web/static/board/camera.js";
import { Framing } from "../../../src/ludotheque/web/static/board/framing.js";

const PHONE = { x: 0, y: 0, width: 300, height: 300 };
const TEXT = 12; // units of the board: the smallest text
const LEAST_TEXT = 9; // pixels

/** A drawing of the board on a screen. */
class Screen {
  isLarge = false;
  box = PHONE;
  leastText = LEAST_TEXT;
  leastPiece = 50;
  glides = 0;
  onResize = () => {};
  onArrival = () => {};

  resize(box) {
    this.box = box;
    this.onResize();
  }

  glide(change) {
    this.glides += 1;
    change();
  }

  show(part, isZoomed) {
    this.part = part;
    this.isZoomed = isZoomed;
  }

  smallestTextIn() {
    return TEXT;
  }

  get unit() {
    return unitOf(this.part, this.box);
  }

  under({ x, y }) {
    return { x: this.part.x + x * this.unit, y: this.part.y + y * this.unit };
  }

  /** A square piece of the board, where it is on the screen now. */
  piece(x, y, size, step = `${x} ${y}`) {
    const rect = () => ({
      x: (x - this.part.x) / this.unit,
      y: (y - this.part.y) / this.unit,
      width: size / this.unit,
      height: size / this.unit,
    });
    return { isConnected: true, getAttribute: () => step, getBoundingClientRect: rect };
  }
}

const scene = (width, height, pieces = []) => ({ width, height, pieces });
const piece = (id, x) => ({ id, symbol: "s", x });
let screen;
let framing;

beforeEach(() => {
  screen = new Screen();
  framing = new Framing(screen);
  framing.follow(scene(600, 600), null);
  framing.isReady = true;
});

/** The smallest text has its least size: no smaller and, so that much of the board is in view, no larger. */
function assertReadable() {
  assert.ok(Math.abs(TEXT / screen.unit - LEAST_TEXT) < 1e-9);
}

test("at first all of the board is in view", () => {
  assert.deepEqual(screen.part, { x: 0, y: 0, width: 600, height: 600 });
  assert.ok(!framing.isZoomed);
});

test("zooming keeps the point under the pointer, and out again shows all", () => {
  framing.zoom(2, { x: 600, y: 0 });
  assert.deepEqual(screen.part, { x: 300, y: 0, width: 300, height: 300 });
  assert.ok(framing.isCloseUp);
  framing.zoom(1 / 3);
  assert.ok(!screen.isZoomed);
});

test("no zoom goes further than the smallest width", () => {
  framing.zoom(1000);
  assert.equal(screen.part.width, 120);
});

test("panning ends at the edge of the board, and moves nothing while all of it is in view", () => {
  framing.pan({ x: 50, y: 0 });
  assert.ok(!framing.isZoomed);
  framing.zoom(2);
  framing.pan({ x: 1000, y: -20 });
  assert.deepEqual(screen.part, { x: 300, y: 130, width: 300, height: 300 });
});

test("a small screen zooms in as far as text can be read", () => {
  framing.reveal([screen.piece(10, 10, 20)]);
  assertReadable();
});

test("a place out of view comes to the middle, one in view moves nothing", () => {
  framing.reveal([screen.piece(20, 20, 20)]);
  framing.reveal([screen.piece(480, 480, 40)]);
  assert.equal(screen.part.x + screen.part.width, 600);
  const before = screen.part;
  framing.reveal([screen.piece(470, 470, 40)]);
  assert.equal(screen.part, before);
});

test("places that the edge of the view cuts come whole into view, by no more than that", () => {
  framing.reveal([screen.piece(20, 20, 20)]);
  const { x, y, width } = screen.part;
  framing.reveal([screen.piece(x + width - 60, y + 100, 40), screen.piece(x + width - 30, y + 100, 40)]);
  assert.deepEqual(screen.part, { x: x + 10, y, width, height: width });
});

test("a large screen shows all of the board until someone zooms", () => {
  screen.isLarge = true;
  framing.reveal([screen.piece(10, 10, 20)]);
  assert.ok(!framing.isZoomed);
});

test("after someone asked for the whole board the page does not zoom in again", () => {
  framing.fit();
  framing.reveal([screen.piece(10, 10, 20)]);
  framing.enlarge([screen.piece(10, 10, 5), screen.piece(16, 10, 5)], []);
  assert.ok(!framing.isZoomed);
});

test("the whole board stays in view on another screen, also where text was to be read before", () => {
  framing.reveal([screen.piece(10, 10, 20)]);
  assert.ok(framing.isZoomed);
  framing.fit();
  screen.resize({ ...PHONE, height: 200 });
  assert.ok(!framing.isZoomed);
});

test("places too small for a finger are enlarged, and what was in view comes back after them", () => {
  const small = [screen.piece(300, 300, 8), screen.piece(316, 300, 8)];
  framing.enlarge(small, []);
  assert.ok(small[0].getBoundingClientRect().width > 4);
  assert.ok(framing.isZoomed);
  framing.enlarge([], []);
  assert.deepEqual(screen.part, { x: 0, y: 0, width: 600, height: 600 });
});

test("all that a lesson talks about is in view, also on another screen, until it is gone", () => {
  const talked = [screen.piece(10, 10, 20), screen.piece(560, 560, 20)];
  framing.revealAll(talked);
  assert.equal(screen.part.width, 600);
  screen.resize({ ...PHONE, height: 200 });
  for (const place of talked) assert.ok(place.getBoundingClientRect().x < PHONE.width);
  talked[0].isConnected = false;
  framing.release();
  assertReadable();
});

test("after places far apart, one of them alone is shown large enough to read", () => {
  framing.revealAll([screen.piece(10, 10, 20), screen.piece(560, 560, 20)]);
  assert.equal(screen.part.width, 600);
  framing.follow(scene(600, 600), scene(600, 600));
  framing.revealAll([screen.piece(10, 10, 20)]);
  assertReadable();
  const before = screen.part;
  framing.revealAll([screen.piece(40, 40, 20)]);
  assert.equal(screen.part, before, "what can be read stays where it is");
});

test("a zoomed board that grew to the left is followed", () => {
  const before = scene(600, 600, [piece("a", 10), piece("b", 20)]);
  framing.follow(before, null);
  framing.zoom(2);
  const { x } = screen.part;
  assert.ok(framing.follow(scene(700, 600, [piece("a", 110), piece("b", 120)]), before));
  assert.equal(screen.part.x, x + 100);
});

test("a board that must not move stays as large as it was while it grows", () => {
  const before = scene(600, 600, [piece("a", 10)]);
  framing.follow(before, null);
  framing.follow(scene(700, 600, [piece("a", 110)]), before, true);
  assert.deepEqual(screen.part, { x: 100, y: 0, width: 600, height: 600 });
});

test("another size of the screen keeps the scale that someone chose", () => {
  framing.zoom(2);
  const { unit } = screen;
  screen.resize({ ...PHONE, width: 200 });
  assert.equal(screen.unit, unit);
  assert.equal(screen.part.width, 200 * unit);
});

test("on a small screen the view follows the last move, also to another size of it", () => {
  framing.reveal([]);
  assert.ok(framing.isZoomed);
  const last = screen.piece(560, 20, 20);
  framing.followLast([last]);
  assertInView(last);
  screen.resize({ x: 0, y: 0, width: 200, height: 400 });
  assertInView(last);
  framing.reveal([]);
  screen.resize({ x: 0, y: 0, width: 400, height: 200 });
  assertInView(last);
});

test("a last move that is in view at first is so on a screen of another shape", () => {
  const last = screen.piece(290, 120, 20);
  framing.followLast([last]);
  assertInView(last);
  screen.resize({ x: 0, y: 0, width: 300, height: 100 });
  assertInView(last);
});

test("on another size of the screen someone sees the part of the board that they moved to, not the last move", () => {
  framing.followLast([screen.piece(560, 20, 20)]);
  framing.pan({ x: -1000, y: 1000 });
  screen.resize({ x: 0, y: 0, width: 200, height: 400 });
  assert.equal(screen.part.y + screen.part.height, 600);
  assert.ok(screen.part.x < 100);
});

/** All of a place is in view. */
function assertInView(place) {
  const { x, y, width, height } = place.getBoundingClientRect();
  assert.ok(Math.min(x, y) >= 0 && x + width <= screen.box.width && y + height <= screen.box.height);
}

// Boards that grow: a part of them is in view, in which pieces can be read.

const SIDE = 100;
const growing = (width, height, pieces = []) => ({ ...scene(width, height, pieces), legible: SIDE });

/** A framing of a board that grows, with its art. */
function growingBoard(width, height, pieces) {
  const framing = new Framing(screen);
  framing.follow(growing(width, height, pieces), null);
  framing.isReady = true;
  return framing;
}

test("pieces of a board that grows have their least size, however large the board is", () => {
  for (const side of [300, 2000]) {
    growingBoard(side, side);
    assert.equal(SIDE / screen.unit, screen.leastPiece);
  }
});

test("a board that grows and fits on the screen is in its middle, and all in view", () => {
  const framing = growingBoard(300, 300);
  assert.ok(!framing.isZoomed);
  assert.deepEqual(screen.part, { x: -150, y: -150, width: 600, height: 600 });
});

test("the view follows the last move with some land around it, and only as far as it must", () => {
  const framing = growingBoard(2000, 2000);
  const { part } = screen;
  framing.followLast([screen.piece(1000, 1000, SIDE)]);
  assert.equal(screen.part, part, "a move in view moves nothing");
  framing.followLast([screen.piece(1500, 1000, SIDE)]);
  assert.equal(screen.part.x + screen.part.width, 1500 + SIDE + 90);
  assert.equal(screen.part.y, part.y);
  assert.equal(screen.glides, 1);
});

test("the whole board stays in view for those who asked for it, until they zoom", () => {
  const framing = growingBoard(2000, 2000);
  framing.fit();
  framing.followLast([screen.piece(1900, 1000, SIDE)]);
  assert.equal(screen.part.width, 2000);
  framing.zoom(2);
  framing.followLast([screen.piece(1900, 1000, SIDE)]);
  assert.ok(screen.part.x + screen.part.width >= 2000);
});

test("once nothing more is laid, a large screen shows all of a board that grows, a small one a legible part", () => {
  framing.follow(growing(1000, 1000), null);
  framing.showAll();
  assert.ok(framing.isZoomed);
  screen.isLarge = true;
  framing.showAll();
  assert.ok(!framing.isZoomed);
  framing.followLast([screen.piece(10, 10, 100)]);
  assert.ok(!framing.isZoomed);
});

test("what was in view stays where it is on the screen while the board grows to the left", () => {
  const before = [piece("a", 10), piece("b", 20)];
  const framing = growingBoard(2000, 2000, before);
  const { part } = screen;
  framing.follow(growing(2100, 2000, [piece("a", 110), piece("b", 120)]), growing(2000, 2000, before));
  assert.deepEqual(screen.part, { ...part, x: part.x + 100 });
});

test("choices that have room are all brought into view, of more at least one", () => {
  const framing = growingBoard(2000, 2000);
  framing.reveal([screen.piece(1300, 1000, SIDE), screen.piece(1400, 1000, SIDE)]);
  assert.equal(screen.part.x + screen.part.width, 1500 + 90);
  framing.reveal([screen.piece(0, 0, SIDE), screen.piece(1900, 1900, SIDE)]);
  const { x, y, width, height } = screen.part;
  assert.ok(x + width > 1950 && y + height > 1950, "the nearer one");
});

test("while a turn is being composed, what is asked for moves nothing as long as all of it is in view", () => {
  for (const [composes, moves] of [
    [false, true],
    [true, false],
  ]) {
    const framing = growingBoard(2000, 2000);
    framing.follow(growing(2000, 2000), growing(2000, 2000), composes);
    const { part } = screen;
    framing.reveal([screen.piece(part.x, 1000, SIDE)]);
    assert.equal(screen.part.x !== part.x, moves);
    framing.reveal([screen.piece(part.x - SIDE, 1000, SIDE)]);
    assert.ok(screen.part.x < part.x, "what is beside the view is brought into it");
  }
});

test("a tap on the map puts that place into the middle, as far as the board goes", () => {
  const framing = growingBoard(2000, 2000);
  framing.centre({ x: 500, y: 1990 });
  assert.equal(screen.part.x + screen.part.width / 2, 500);
  assert.equal(screen.part.y + screen.part.height, 2000);
});

test("another size of the screen keeps the size of the pieces", () => {
  growingBoard(2000, 2000);
  screen.resize({ ...PHONE, width: 200, height: 500 });
  assert.equal(SIDE / screen.unit, screen.leastPiece);
});

test("what is brought into view on a screen that has just become smaller keeps its size", () => {
  const framing = growingBoard(2000, 2000);
  screen.box = { ...PHONE, height: 100 };
  framing.revealAll([screen.piece(1500, 1500, SIDE)]);
  screen.onResize();
  assert.equal(SIDE / screen.unit, screen.leastPiece);
});

test("what an event is about is shown whole, and then what was in view before", () => {
  const framing = growingBoard(2000, 2000);
  framing.centre({ x: 500, y: 500 });
  const before = screen.part;
  const places = [screen.piece(900, 0, SIDE), screen.piece(1800, 1800, SIDE)];
  framing.look(places);
  for (const place of places) {
    const { x, y, width } = place.getBoundingClientRect();
    assert.ok(Math.min(x, y) >= 0 && Math.max(x, y) + width <= PHONE.width);
  }
  framing.look([]);
  assert.deepEqual(screen.part, before);
});

test("an event does not move a board that is shown whole", () => {
  const { part } = screen;
  framing.look([screen.piece(900, 0, SIDE)]);
  framing.look([]);
  assert.equal(screen.part, part);
});

test("what is brought into view comes with the side of it where most pieces lie", () => {
  const laid = [0, 1, 2, 3].map((place) => ({
    ...piece(`card ${place}`, 1000 - SIDE * place),
    classes: "mapped",
    y: 1550,
  }));
  const framing = growingBoard(2000, 2000, laid);
  framing.reveal([screen.piece(950, 1500, SIDE)]);
  const { x, width } = screen.part;
  const isShown = (place) => place.x > x && place.x < x + width;
  assert.equal(laid.filter(isShown).length, 4);
});
