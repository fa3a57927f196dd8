// The ratings of solver and puzzles and the rules of a rush, on the modules that are served.

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
const { expected, nextPuzzle, rate, ratingOf, solver, wasTried } = await import(
  "../../../src/ludotheque/web/static/study/rating.js"
);
const { bestRush, keepRush, order, timeText } = await import("../../../src/ludotheque/web/static/study/rush_rules.js");

beforeEach(() => kept.clear());

const EASY = { id: "easy", rating: 900, difficulty: 0 };
const EVEN = { id: "even", rating: 1200, difficulty: 1 };
const HARD = { id: "hard", rating: 1900, difficulty: 2 };

test("a solved puzzle raises the solver and lowers the puzzle, a hard one more", () => {
  const easy = rate("chess", EASY, true);
  const hard = rate("chess", HARD, true);
  assert.ok(0 < easy && easy < hard);
  assert.equal(solver("chess").rating, 1200 + easy + hard);
  assert.ok(ratingOf(HARD) < HARD.rating);
});

test("only the first try of a puzzle counts", () => {
  assert.equal(rate("chess", EVEN, false), -24);
  assert.ok(wasTried("even"));
  assert.equal(rate("chess", EVEN, true), 0);
  assert.equal(solver("chess").rating, 1176);
});

test("a row of solved puzzles ends with a wrong move, and the longest is kept", () => {
  rate("chess", EASY, true);
  rate("chess", EVEN, true);
  rate("chess", HARD, false);
  assert.equal(solver("chess").run, 0);
  assert.equal(solver("chess").best, 2);
  assert.equal(solver("go").tries, 0, "each game apart");
});

test("an equal puzzle is solved half of the time", () => {
  assert.equal(expected(1500, 1500), 0.5);
  assert.ok(Math.abs(expected(1900, 1500) - 10 / 11) < 1e-9);
});

test("the next puzzle is as hard as the solver is strong, and new", () => {
  assert.equal(nextPuzzle([EASY, EVEN, HARD], "chess")?.id, "even");
  assert.equal(nextPuzzle([EASY, EVEN, HARD], "chess", "even")?.id, "easy");
  for (const puzzle of [EASY, EVEN]) rate("chess", puzzle, true);
  assert.equal(nextPuzzle([EASY, EVEN, HARD], "chess")?.id, "hard");
  rate("chess", HARD, true);
  assert.notEqual(nextPuzzle([EASY, EVEN, HARD], "chess", "hard")?.id, "hard");
});

test("what is kept in a wrong form is taken as nothing", () => {
  kept.set("puzzles:rating", "[");
  kept.set("puzzles:rush", "{");
  assert.equal(solver("chess").rating, 1200);
  assert.equal(bestRush("chess"), 0);
});

test("a rush goes from easy to hard, and keeps the best result", () => {
  const puzzles = [HARD, EASY, EVEN];
  assert.deepEqual(
    order(puzzles, () => 0.5).map(({ id }) => id),
    ["easy", "even", "hard"],
  );
  for (const solved of [4, 7, 5]) keepRush("chess", solved);
  assert.equal(bestRush("chess"), 7);
});

test("time is told in minutes and seconds", () => {
  assert.deepEqual([180, 65.2, 9, 0].map(timeText), ["3:00", "1:06", "0:09", "0:00"]);
});
