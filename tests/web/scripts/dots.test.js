// Dots in the places that can be chosen, on the module that is served; the drawing is simulated.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { createElementNS: () => ({ style: {}, setAttribute() {}, replaceChildren() {}, append() {} }) };
const { Dots } = await import("../../../src/ludotheque/web/static/board/dots.js");

/** A box as browsers give it: its sides are not its own properties. */
const box = (sides) => Object.create(sides);
const boxed = (piece, x, y, width, height) => ({ piece, element: { getBBox: () => box({ x, y, width, height }) } });
const cell = (x, y) => boxed({ symbol: "cell", x, y, step: `${x} ${y}` }, -30, -30, 60, 60);
const number = (x, y) => boxed({ text: "1", x, y }, -5, -14, 10, 18);

/** Where the dots of these places are, or their tags. */
function dotsIn(places, texts = [], tags = new Map()) {
  const dots = new Dots();
  const drawn = [];
  dots.layer.replaceChildren = (...marks) => drawn.push(...marks);
  dots.show(places, tags, texts);
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

test("a tag is at the lower edge of its place, or at the upper one where the scene says so", () => {
  const other = cell(160, 100);
  other.piece.classes = "spot tag-above";
  const tags = new Map([cell(100, 100), other].map(({ piece }) => [piece.step, "$2"]));
  assert.deepEqual(dotsIn([cell(100, 100), other], [], tags), [
    [100, 130],
    [160, 70],
  ]);
});

test("two tags of a price and a gain fit beside each other, a column of hexes apart", () => {
  const widths = [];
  const create = globalThis.document.createElementNS;
  globalThis.document.createElementNS = () => ({
    ...create(),
    setAttribute: (name, value) => name === "width" && widths.push(Number(value)),
  });
  dotsIn([cell(100, 100)], [], new Map([["100 100", "$3 +1"]]));
  globalThis.document.createElementNS = create;
  assert.equal(widths.length, 1);
  assert.ok(widths[0] <= 44, "three quarters of a hex of 59 pixels");
});
