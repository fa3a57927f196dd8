// Where the small map lies, on the module that is served.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bestCorner } from "../../../src/ludotheque/web/static/board/map.js";

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
