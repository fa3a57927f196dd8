import assert from "node:assert/strict";
import { test } from "node:test";
import { numbered } from "../../../src/ludotheque/web/static/table/time/played.js";
import { newsAt, turnsOf } from "../../../src/ludotheque/web/static/table/time/turns.js";

const LINES = [
  { ply: 1, seat: 0, text: "Ann lays a tile on A2: 4 bends.", short: "Ann lays a tile on A2." },
  { ply: 2, text: "Ann draws a tile.", short: "" },
  { ply: 3, seat: 1, text: "Ben chooses an expansion.", short: "" },
  { ply: 4, seat: 1, text: "Ben expands PRR." },
  { ply: 5, seat: 1, text: "PRR builds to Lima for $1.", short: "To Lima, $1." },
  { ply: 6, seat: 0, text: "Ann ends the expansion.", short: "" },
];

test("a turn is all that a seat does until another one acts, in short words", () => {
  assert.deepEqual(turnsOf(LINES), [
    { seat: 0, first: 1, last: 2, words: "Ann lays a tile on A2." },
    { seat: 1, first: 3, last: 5, words: "Ben expands PRR. To Lima, $1." },
  ]);
});

test("draws before the first turn belong to no seat", () => {
  assert.deepEqual(turnsOf([{ ply: 1, text: "The landscape is laid." }]), [
    { seat: null, first: 1, last: 1, words: "The landscape is laid." },
  ]);
});

test("the news are the lines since one's own last turn, otherwise those of the latest ply", () => {
  const plies = (/** @type {number} */ at, /** @type {number | null} */ since) =>
    newsAt(LINES, at, since).map(({ ply }) => ply);
  assert.deepEqual(plies(5, 2), [3, 4, 5]);
  assert.deepEqual(plies(5, 5), [5]);
  assert.deepEqual(plies(4, null), [4]);
  assert.deepEqual(plies(0, null), []);
  assert.deepEqual(plies(6, null), [5, 6], "spectators read of a move, also when a draw has followed");
});

test("the moves of one turn have one number", () => {
  const moves = [
    { ply: 3, seat: 1 },
    { ply: 4, seat: 1 },
    { ply: 6, seat: 2 },
    { ply: 9, seat: 1 },
  ];
  assert.deepEqual(
    [...numbered(/** @type {any} */ (moves))],
    [
      [3, 1],
      [4, 1],
      [6, 2],
      [9, 3],
    ],
  );
});
