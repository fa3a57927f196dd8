// Views of the board, with the numbers that tests/core/test_projection.py computes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  boundsOf,
  drawnBox,
  FLAT,
  facesOf,
  placeOf,
  project,
  TILTED,
  transformOf,
} from "../../../src/ludotheque/web/static/board/projection.js";

const CASES = JSON.parse(readFileSync(new URL("projection.json", import.meta.url), "utf-8"));
const VIEWS = { flat: FLAT, tilted: TILTED };
const BAR = {
  outline: [
    [-15, -18],
    [111, -18],
    [114, -15],
    [114, 15],
    [111, 18],
    [-15, 18],
    [-18, 15],
    [-18, -15],
  ],
  thickness: 14,
}; // prettier-ignore
const near = (one, two) => assert.ok(Math.abs(one - two) < 0.002, `${one} is not ${two}`);

test("pieces and their side faces are where the server draws them", () => {
  for (const { view: name, x, y, height, turn, place, faces } of CASES) {
    const view = VIEWS[name];
    const found = placeOf(view, { id: "bar", x, y, elevation: height, body: BAR });
    near(found.x, place[0]);
    near(found.y, place[1]);
    const drawn = facesOf(view, BAR, turn);
    assert.equal(drawn.length, faces.length);
    for (const [number, [corners, shade]] of faces.entries()) {
      near(drawn[number].shade, shade);
      for (const [corner, [across, down]] of corners.entries()) {
        near(drawn[number].corners[corner].x, across);
        near(drawn[number].corners[corner].y, down);
      }
    }
  }
});

test("a transform has the same parts in every view, and text is not tilted", () => {
  const parts = (transform) => transform.replace(/[-\d.e]+/g, "0");
  const bar = { id: "bar", symbol: "bar", x: 3, y: 4, turn: 90 };
  assert.equal(parts(transformOf(FLAT, bar)), parts(transformOf(TILTED, bar)));
  assert.match(transformOf(TILTED, { id: "name", text: "B" }), /matrix\(1, 0, 0, 1, 0, 0\)/);
});

test("a board from above is as large as its scene, a tilted one holds what stands on it", () => {
  const tower = { id: "tower", x: 20, y: 20, elevation: 200, body: BAR };
  const scene = { width: 300, height: 300, thickness: 28, pieces: [tower] };
  assert.deepEqual(boundsOf(FLAT, scene), { x: 0, y: 0, width: 300, height: 300 });
  const box = boundsOf(TILTED, scene);
  const top = project(TILTED, { x: 5, y: 2 }, 214);
  assert.ok(box.y < top.y);
  assert.ok(box.y + box.height > project(TILTED, { x: 300, y: 300 }, -28).y);
});

test("the box around a turned piece is that of what is seen", () => {
  const box = { x: -18, y: -18, width: 132, height: 36 };
  const { x, y, width, height } = drawnBox(FLAT, { id: "bar", symbol: "bar", x: 100, y: 50, turn: 90 }, box);
  for (const [one, two] of [
    [x, 82],
    [y, 32],
    [width, 36],
    [height, 132],
  ])
    near(one, two);
});
