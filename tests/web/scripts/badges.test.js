// Where the badge of a move is, on the module that is served.

import assert from "node:assert/strict";
import { test } from "node:test";
import { badgeRadius, freeCorner } from "../../../src/ludotheque/web/static/board/ghosts.js";

const VIEW = { x: 0, y: 0, width: 200, height: 200 };
const HALF = { x: 20, y: 10 };
const RADIUS = 8;
const badgeAt = (piece, placed = [], others = []) => freeCorner(piece, HALF, RADIUS, placed, VIEW, others).at;

test("a badge is beside the upper right corner, and does not cover the piece", () => {
  const { x, y } = badgeAt({ x: 100, y: 100 });
  assert.ok(x > 120 && y < 90);
  assert.ok(Math.hypot(x - 120, y - 90) >= RADIUS);
});

test("at the edge of the view, or where another badge is, it takes the next corner", () => {
  assert.deepEqual(badgeAt({ x: 100, y: 5 }), { x: 130, y: 25 });
  assert.deepEqual(badgeAt({ x: 195, y: 5 }), { x: 165, y: 25 });
  assert.deepEqual(badgeAt({ x: 100, y: 100 }, [{ x: 130, y: 80 }]), { x: 130, y: 120 });
});

test("where all corners are taken it is to the right of the first", () => {
  const taken = [
    { x: 130, y: 80 },
    { x: 130, y: 120 },
    { x: 70, y: 120 },
    { x: 70, y: 80 },
  ];
  const { x, y } = badgeAt({ x: 100, y: 100 }, taken);
  assert.ok(x > 130 + 2 * RADIUS - 1);
  assert.equal(y, 80);
});

test("of the corners that are free it takes one where it covers no middle of another piece", () => {
  const [car, other] = [
    { x: 132, y: 82 },
    { x: 68, y: 82 },
  ];
  assert.deepEqual(badgeAt({ x: 100, y: 100 }, [], [car]), { x: 130, y: 120 });
  assert.deepEqual(badgeAt({ x: 100, y: 100 }, [{ x: 130, y: 120 }], [car, other]), { x: 70, y: 120 });
  const everywhere = [80, 120].flatMap((y) => [70, 130].map((x) => ({ x, y })));
  assert.deepEqual(badgeAt({ x: 100, y: 100 }, [], everywhere), { x: 130, y: 80 }, "the first where all are covered");
  const beside = everywhere.map(({ x, y }) => ({ x: x + 4, y }));
  const covered = [...beside, { x: 130, y: 80 }];
  assert.deepEqual(badgeAt({ x: 100, y: 100 }, [], covered), { x: 130, y: 120 }, "the farthest from what it covers");
});

test("a badge is smaller beside a small piece, and its number fits", () => {
  const radius = (side) => badgeRadius({ width: side, height: side });
  assert.equal(radius(73), radius(0), "a cell on a desk, and a piece that is not drawn");
  assert.ok(radius(35) < radius(73));
  assert.equal(radius(20), radius(30));
});
