// The days in a row on which puzzles were solved, on the module that is served.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** @type {Map<string, string>} */
const kept = new Map();
Object.assign(globalThis, {
  localStorage: {
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => kept.set(key, value),
  },
});
const { remember, solvedPuzzles, streak } = await import("../../../src/ludotheque/web/static/study/streak.js");

beforeEach(() => kept.clear());

test("days in a row are counted up to today or the day before", () => {
  for (const day of ["2026-02-27", "2026-02-28", "2026-03-01"]) remember("one", day);
  assert.equal(streak("2026-03-01"), 3);
  assert.equal(streak("2026-03-02"), 3);
  assert.equal(streak("2026-03-03"), 0);
});

test("a day that was left out ends the row", () => {
  for (const day of ["2026-03-01", "2026-03-03"]) remember("one", day);
  assert.equal(streak("2026-03-03"), 1);
});

test("a puzzle of no day is remembered as solved, and counts for no row", () => {
  remember("one", "");
  assert.deepEqual(solvedPuzzles(), ["one"]);
  assert.equal(streak("2026-03-01"), 0);
});

test("what is kept in a wrong form is taken as nothing", () => {
  kept.set("puzzles:days", "{");
  assert.equal(streak("2026-03-01"), 0);
});
