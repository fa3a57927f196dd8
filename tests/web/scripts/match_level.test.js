// The level of a player's match, on the module that is served.

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
const { countResult, isMatch, matched, matchLevel } = await import(
  "../../../src/ludotheque/web/static/lib/match_level.js"
);

beforeEach(() => kept.clear());

test("a win moves the match up and a loss down, later ones less", () => {
  assert.equal(matchLevel("chess"), "1.5");
  countResult("chess", "/t/1", 1);
  assert.equal(matchLevel("chess"), "2.1");
  countResult("chess", "/t/2", 0);
  assert.equal(matchLevel("chess"), "1.7");
  assert.equal(matchLevel("go"), "1.5", "each game apart");
});

test("a table counts once, and says the same when it is shown again", () => {
  const moved = { before: "1.5", after: "2.1" };
  assert.deepEqual(countResult("chess", "/t/1", 1), moved);
  assert.deepEqual(countResult("chess", "/t/1", 1), moved);
  assert.equal(matched("chess").games, 1);
  countResult("chess", "/t/2", 1);
  assert.deepEqual(
    countResult("chess", "/t/1", 1),
    { before: "2.5", after: "2.5" },
    "an earlier one moves nothing now",
  );
});

test("half of the win leaves it where it is", () => {
  countResult("chess", "/t/1", 0.5);
  assert.equal(matchLevel("chess"), "1.5");
});

test("it stays between the levels, and is never a whole one", () => {
  for (let table = 0; table < 60; table += 1) {
    countResult("chess", `/t/${table}`, 1);
    assert.ok(isMatch(matchLevel("chess")), matchLevel("chess"));
  }
  assert.equal(matchLevel("chess"), "5.9");
  for (let table = 100; table < 160; table += 1) countResult("chess", `/t/${table}`, 0);
  assert.equal(matchLevel("chess"), "1.1");
});

test("a player who wins half of the games at a level stays near it", () => {
  const strength = 3.4;
  for (let table = 0; table < 40; table += 1) {
    countResult("chess", `/t/${table}`, Number(matchLevel("chess")) < strength ? 1 : 0);
  }
  assert.ok(Math.abs(matched("chess").level - strength) < 0.4);
});

test("levels and other bots are no match", () => {
  for (const level of ["1", "6", "random", "6.5", "mine"]) assert.ok(!isMatch(level));
});
