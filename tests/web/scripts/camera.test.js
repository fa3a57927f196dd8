// The geometry of the board and the screen, on the module that is served.

import assert from "node:assert/strict";
import { test } from "node:test";
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
  movedInto,
  nearestTo,
  overlaps,
  panned,
  scaled,
  unitOf,
} from "../../../src/ludotheque/web/static/board/camera.js";

const box = (x, y, width, height) => ({ x, y, width, height });
const square = (x, y, size) => box(x - size / 2, y - size / 2, size, size);
const WHOLE = box(0, 0, 400, 300);

test("a box around a point has that point as its centre", () => {
  assert.deepEqual(centreOf(centred({ width: 10, height: 4 }, { x: 7, y: 9 })), { x: 7, y: 9 });
});

test("a box that sticks out is moved into the whole", () => {
  assert.deepEqual(movedInto(box(-20, 250, 100, 100), WHOLE), box(0, 200, 100, 100));
  assert.deepEqual(movedInto(box(390, 10, 100, 100), WHOLE), box(300, 10, 100, 100));
  assert.deepEqual(movedInto(box(50, 60, 100, 100), WHOLE), box(50, 60, 100, 100));
});

test("a box larger than the whole has all of it inside, wherever it was", () => {
  assert.deepEqual(movedInto(box(-20, 50, 500, 100), WHOLE), box(-20, 50, 500, 100));
  assert.deepEqual(movedInto(box(30, 50, 500, 100), WHOLE), box(0, 50, 500, 100));
  assert.deepEqual(movedInto(box(-300, 50, 500, 100), WHOLE), box(-100, 50, 500, 100));
});

test("a window moves as little as it must to show a part, and not at all for a part in view", () => {
  const view = box(100, 100, 100, 50);
  assert.deepEqual(panned(view, box(120, 110, 20, 20)), view);
  assert.deepEqual(panned(view, box(190, 110, 30, 20)), box(120, 100, 100, 50));
  assert.deepEqual(panned(view, box(50, 10, 30, 20)), box(50, 10, 100, 50));
});

test("a window shows the middle of a part that is too large for it", () => {
  assert.deepEqual(panned(box(0, 0, 100, 50), box(200, 0, 300, 20)), box(300, 0, 100, 50));
});

test("a margin is added on all sides", () => {
  assert.deepEqual(grown(box(10, 20, 30, 40), 5), box(5, 15, 40, 50));
});

test("what a box is scaled about stays at its place in the box", () => {
  assert.deepEqual(scaled(WHOLE, 0.5, { x: 100, y: 300 }), box(50, 150, 200, 150));
  assert.deepEqual(scaled(WHOLE, 0.5, centreOf(WHOLE)), box(100, 75, 200, 150));
});

test("the box around others reaches from the first edge to the last", () => {
  assert.deepEqual(around([box(10, 20, 5, 5), box(0, 40, 30, 10)]), box(0, 20, 30, 30));
});

test("a box is within another up to its edges, a point only between them", () => {
  assert.ok(isWithin(WHOLE, WHOLE));
  assert.ok(!isWithin(box(0, 0, 401, 300), WHOLE));
  assert.ok(isInside({ x: 1, y: 1 }, WHOLE));
  assert.ok(!isInside({ x: 0, y: 1 }, WHOLE));
});

test("the tighter direction decides how many units are a pixel", () => {
  assert.equal(unitOf(WHOLE, { width: 200, height: 50 }), 6);
  assert.deepEqual(limited({ width: 500, height: 20 }, WHOLE), { width: 400, height: 20 });
});

test("the middle of points, and the one nearest to it", () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
    { x: 2, y: 9 },
  ];
  assert.deepEqual(middleOf(points), { x: 4, y: 3 });
  assert.deepEqual(nearestTo({ x: 9, y: 1 }, points), { x: 10, y: 0 });
});

test("a small piece that stands alone needs no zoom: a tap beside it chooses it", () => {
  assert.equal(leastTarget([square(50, 50, 12)], ["a"]), 32);
  assert.equal(leastTarget([square(50, 50, 12), square(50, 90, 12)], ["a", "b"]), 32);
});

test("small pieces beside each other are as large as the way between them, or as themselves", () => {
  assert.equal(leastTarget([square(50, 50, 12), square(50, 66, 12)], ["a", "b"]), 16);
  assert.equal(leastTarget([square(50, 50, 12), square(50, 60, 12)], ["a", "b"]), 12);
});

test("the largest of the pieces that choose the same thing counts", () => {
  assert.equal(leastTarget([square(50, 50, 5), square(52, 50, 28), square(60, 50, 30)], ["a", "a", "b"]), 28);
});

test("a window about a part shows most of the points, and moves no further for them than it must", () => {
  const view = box(0, 0, 100, 100);
  const part = square(60, 90, 40); // sticks out below
  const row = [1, 2, 3].map((place) => ({ x: 50 + 40 * place, y: 90 }));
  const near = fullest(view, part, row, 40);
  assert.ok(isWithin(part, near));
  assert.equal(row.filter((point) => isInside(point, near)).length, 2, "as many as can be");
  assert.deepEqual(fullest(view, part, [], 40), panned(view, part), "nothing else to show");
  assert.deepEqual(fullest(view, square(50, 50, 40), [{ x: 50, y: 50 }], 40), view, "all of it is in view");
});

test("boxes overlap also where neither has a corner of the other in it", () => {
  assert.ok(overlaps(WHOLE, square(10, 10, 4)));
  assert.ok(overlaps(box(100, -50, 10, 500), WHOLE), "a cross");
  assert.ok(!overlaps(WHOLE, box(400, 0, 10, 10)), "side by side");
  assert.ok(!overlaps(WHOLE, box(0, -20, 400, 10)));
});
