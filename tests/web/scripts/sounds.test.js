// What is to be heard between two views of a table.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.localStorage = { getItem: () => null };
const { soundsOf } = await import("../../../src/ludotheque/web/static/table/sounds.js");

const view = (over, changes = {}) => ({
  over,
  to_move: 1,
  mine: [0],
  ply: 4,
  cards: [],
  result: null,
  scene: { pieces: [{ id: "tile:A1", symbol: "tile" }], tables: [] },
  ...changes,
});
const scores = (...points) => [{ lists_seats: true, rows: points.map((score) => ["Ann", `$${score}`]) }];
const scene = (ids, tables = []) => ({ pieces: ids.map((id) => ({ id, symbol: "tile" })), tables });

test("a new piece on the board sounds like what it is made of, anything else like a tap", () => {
  const laid = view(false, { scene: scene(["tile:A1", "tile:B2"]) });
  assert.deepEqual(soundsOf(view(false), laid), ["tile"]);
  assert.deepEqual(soundsOf(view(false), laid, { tile: "wood" }), ["wood"]);
  assert.deepEqual(soundsOf(laid, laid), ["tap"]);
});

test("a piece that goes from the hand to the board is laid, and one that its game does not name is silent", () => {
  const [inHand, onBoard] = [true, false].map((in_tray) =>
    view(false, { scene: { pieces: [{ id: "piece:B5", symbol: "bar", in_tray }], tables: [] } }),
  );
  assert.deepEqual(soundsOf(inHand, onBoard, { piece: "wood" }), ["wood"]);
  assert.deepEqual(soundsOf(inHand, onBoard, { card: "card" }), ["tap"]);
});

test("what comes to the hand is shuffled", () => {
  const pieces = [
    { id: "tile:A1", symbol: "tile" },
    { id: "hand:0", symbol: "tile", in_tray: true },
  ];
  assert.deepEqual(soundsOf(view(false), view(false, { scene: { pieces, tables: [] } })), ["shuffle"]);
});

test("points, one's turn and the end are heard", () => {
  const before = view(false, { scene: scene(["tile:A1"], scores(3, 4)) });
  const after = view(false, { to_move: 0, scene: scene(["tile:A1"], scores(3, 11)) });
  assert.deepEqual(soundsOf(before, after), ["tap", "coin", "bell"]);
  assert.deepEqual(soundsOf(before, view(true)), ["end"]);
  assert.deepEqual(soundsOf(before, view(true, { result: { returns: [-1, 1] } })), ["end"]);
  assert.deepEqual(soundsOf(before, view(true, { result: { returns: [1, -1] } })), ["win"]);
  assert.deepEqual(soundsOf(view(true), view(true)), []);
});

test("what is finished chimes once, and a card that tells of an event sounds a gong instead", () => {
  const line = (classes) => ({ pieces: [{ id: "line:1", path: "M0 0", classes }], tables: [] });
  const [open, done] = [view(false, { scene: line("line open") }), view(false, { scene: line("line finished") })];
  assert.deepEqual(soundsOf(open, done), ["tap", "chime"]);
  assert.deepEqual(soundsOf(done, done), ["tap"]);
  assert.deepEqual(soundsOf(open, { ...done, ply: 5, cards: [{ ply: 5 }] }), ["tap", "gong"]);
  assert.deepEqual(soundsOf(open, { ...open, ply: 5, cards: [{ ply: 4 }] }), ["tap"]);
});
