// What a finger can hit, on the module that is served.

import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTarget } from "../../../src/ludotheque/web/static/board/viewport.js";

/** A square piece on the screen. */
function piece(step, x, y, size) {
  return {
    getAttribute: () => step,
    getBoundingClientRect: () => ({ x: x - size / 2, y: y - size / 2, width: size, height: size }),
  };
}

test("a small piece that stands alone needs no zoom: a tap beside it chooses it", () => {
  assert.equal(leastTarget([piece("company:1", 50, 50, 12)]), 32);
  assert.equal(leastTarget([piece("company:1", 50, 50, 12), piece("company:2", 50, 90, 12)]), 32);
});

test("small pieces beside each other are as large as the way between them, or as themselves", () => {
  assert.equal(leastTarget([piece("company:1", 50, 50, 12), piece("company:2", 50, 66, 12)]), 16);
  assert.equal(leastTarget([piece("company:1", 50, 50, 12), piece("company:2", 50, 60, 12)]), 12);
});

test("the largest of the pieces that choose the same thing counts", () => {
  assert.equal(leastTarget([piece("a", 50, 50, 5), piece("a", 52, 50, 28), piece("b", 60, 50, 30)]), 28);
});
