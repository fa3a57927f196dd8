// Putting scenes together from changes, on the module that is served.

import assert from "node:assert/strict";
import { test } from "node:test";
import { commonShift, patchScene } from "../../../src/ludotheque/web/static/board/scene.js";

const piece = (id, x = 0) => ({ id, symbol: "s", x });
const change = (pieces, more = {}) => ({ title: "T", width: 10, height: 5, pieces, ...more });
const ids = (scene) => scene.pieces.map(({ id }) => id);
const WHOLE = patchScene(null, change([piece("a"), piece("b"), piece("c")], { base: null, tables: ["t"], asks: "?" }));

test("a whole scene stands alone", () => {
  assert.deepEqual(ids(WHOLE), ["a", "b", "c"]);
  assert.deepEqual(ids(patchScene(WHOLE, change([piece("z")], { base: null }))), ["z"]);
});

test("pieces are changed in place, added at the end and removed", () => {
  const scene = patchScene(WHOLE, change([piece("b", 7), piece("d")], { base: 1, gone: ["a"] }));
  assert.deepEqual(ids(scene), ["b", "c", "d"]);
  assert.equal(scene.pieces[0]?.x, 7);
});

test("pieces come right after the one that they follow, or first", () => {
  const follows = { d: "", c: "d", e: "a", f: "e" };
  const scene = patchScene(WHOLE, change([piece("d"), piece("e"), piece("f")], { base: 1, follows }));
  assert.deepEqual(ids(scene), ["d", "c", "a", "e", "f", "b"]);
});

test("an unknown piece that follows another is an error", () => {
  assert.throws(() => patchScene(WHOLE, change([], { base: 1, follows: { x: "a" } })), /no piece x/);
});

test("tables stay until others come", () => {
  assert.deepEqual(patchScene(WHOLE, change([])).tables, ["t"]);
  assert.deepEqual(patchScene(WHOLE, change([], { tables: [] })).tables, []);
});

test("the scene before is not changed", () => {
  patchScene(WHOLE, change([piece("a", 9)], { base: 1, gone: ["c"] }));
  assert.deepEqual(ids(WHOLE), ["a", "b", "c"]);
  assert.equal(WHOLE.pieces[0]?.x, 0);
});

test("a board that grows to the left shifts most pieces", () => {
  const grown = patchScene(WHOLE, change([piece("a", 4), piece("b", 4), piece("c", 1)], { base: 1 }));
  assert.deepEqual(commonShift(WHOLE, grown), { x: 4, y: 0 });
  assert.deepEqual(commonShift(WHOLE, WHOLE), { x: 0, y: 0 });
});
