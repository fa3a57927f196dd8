// How far the games of one's tables have been seen, on the module that is served.

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
const { rememberPly, seenPly } = await import("../../../src/ludotheque/web/static/table/time/seen_plies.js");

beforeEach(() => kept.clear());

test("each table has its ply, and one that was never seen has none", () => {
  rememberPly("one", 3);
  rememberPly("two", 8);
  rememberPly("one", 2);
  assert.equal(seenPly("one"), 2);
  assert.equal(seenPly("two"), 8);
  assert.equal(seenPly("three"), null);
});

test("the tables that were seen longest ago are forgotten", () => {
  for (let table = 0; table < 70; table += 1) rememberPly(`table ${table}`, table);
  rememberPly("table 10", 99);
  assert.equal(seenPly("table 9"), null);
  assert.equal(seenPly("table 10"), 99);
  assert.equal(seenPly("table 69"), 69);
});
