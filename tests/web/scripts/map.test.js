// Where the small map lies, on the module that is served.

import assert from "node:assert/strict";
import { test } from "node:test";
import { areInView, bestCorner } from "../../../src/ludotheque/web/static/board/map.js";

const CORNERS = ["a", "b", "c"].map((name, x) => ({ name, box: { x, y: 0, width: 1, height: 1 } }));
const at =
  (...values) =>
  (box) =>
    values[box.x];

test("the map lies in a free corner, where it covers the fewest pieces", () => {
  assert.equal(bestCorner(CORNERS, "", at(true, true, true), at(3, 1, 1)), "b");
  assert.equal(bestCorner(CORNERS, "", at(true, false, true), at(3, 0, 2)), "c");
});

test("it stays in its corner unless another is clearly better", () => {
  assert.equal(bestCorner(CORNERS, "c", at(true, true, true), at(0, 1, 2)), "c");
  assert.equal(bestCorner(CORNERS, "c", at(true, true, true), at(0, 1, 4)), "a");
});

test("without a free corner there is no map", () => {
  assert.equal(bestCorner(CORNERS, "a", at(false, false, false), at(0, 0, 0)), "");
});

test("pieces are in view also when their edges are cut, and out of it when their middles nearly are", () => {
  const view = { x: 0, y: 0, width: 1000, height: 500 };
  const at = (x, y) => ({ x, y });
  assert.ok(areInView([at(35, 100), at(500, 465)], view, 100));
  assert.ok(!areInView([at(500, 250), at(25, 100)], view, 100));
  assert.ok(areInView([], view, 100));
});
