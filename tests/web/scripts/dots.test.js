// Dots in the places that can be chosen, on the module that is served; the drawing is simulated.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { createElementNS: () => ({ style: {}, setAttribute() {}, replaceChildren() {} }) };
const { Dots } = await import("../../../src/ludotheque/web/static/board/dots.js");

/** A box as browsers give it: its sides are not its own properties. */
const box = (sides) => Object.create(sides);
const boxed = (piece, x, y, width, height) => ({ piece, element: { getBBox: () => box({ x, y, width, height }) } });
const cell = (x, y) => boxed({ symbol: "cell", x, y, step: `${x} ${y}` }, -30, -30, 60, 60);
const number = (x, y) => boxed({ text: "1", x, y }, -5, -14, 10, 18);

/** Where the dots of these places are. */
function dotsIn(places, texts) {
  const dots = new Dots();
  const drawn = [];
  dots.layer.replaceChildren = (...marks) => drawn.push(...marks);
  dots.show(places, new Map(), texts);
  return drawn.map(({ style }) =>
    style.transform
      .match(/translate\((\S+)px, (\S+)px\)/)
      .slice(1)
      .map(Number),
  );
}

test("a dot is in the middle of its place, and below what is written there", () => {
  const [free, written] = dotsIn([cell(100, 100), cell(160, 100)], [number(160, 105)]);
  assert.deepEqual(free, [100, 100]);
  assert.equal(written[0], 160);
  assert.ok(written[1] > 105 + 4 + 4, "clear of the number");
  assert.ok(written[1] < 130 - 4, "in its place");
});
