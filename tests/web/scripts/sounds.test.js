// What is to be heard between two views of a table.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.localStorage = { getItem: () => null };
const { soundsOf } = await import("../../../src/ludotheque/web/static/table/sounds.js");

const view = (over, changes = {}) => ({
  over,
  to_move: 1,
  mine: [0],
  scene: { pieces: [{ id: "tile:A1", symbol: "tile" }], tables: [] },
  ...changes,
});
const scores = (...points) => [{ lists_seats: true, rows: points.map((score) => ["Ann", `$${score}`]) }];
const scene = (ids, tables = []) => ({ pieces: ids.map((id) => ({ id, symbol: "tile" })), tables });

test("a new piece on the board is laid, anything else is chosen", () => {
  const laid = view(false, { scene: scene(["tile:A1", "tile:B2"]) });
  assert.deepEqual(soundsOf(view(false), laid), ["lay"]);
  assert.deepEqual(soundsOf(laid, laid), ["choose"]);
  const inTray = { pieces: [{ id: "hand:0", symbol: "tile", in_tray: true }], tables: [] };
  assert.deepEqual(soundsOf(view(false), view(false, { scene: inTray })), ["choose"]);
});

test("points, one's turn and the end are heard", () => {
  const before = view(false, { scene: scene(["tile:A1"], scores(3, 4)) });
  const after = view(false, { to_move: 0, scene: scene(["tile:A1"], scores(3, 11)) });
  assert.deepEqual(soundsOf(before, after), ["choose", "score", "turn"]);
  assert.deepEqual(soundsOf(before, view(true)), ["end"]);
  assert.deepEqual(soundsOf(view(true), view(true)), []);
});
