// The ratings of solver and puzzles and the rules of a rush, on the modules that are served.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** @type {Map<string, string>} */
const kept = new Map();
Object.assign(globalThis, {
  localStorage: {
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => kept.set(key, value),
    removeItem: (/** @type {string} */ key) => kept.delete(key),
  },
});
const { expected, firstTries, rate, solver, wasTried } = await import(
  "../../../src/ludotheque/web/static/study/rating.js"
);
const { BrowserSolving, loadSolving, nextPuzzle, ProfileSolving, ratingOf } = await import(
  "../../../src/ludotheque/web/static/study/solving.js"
);
const { bestRush, keepRush, order, timeText } = await import("../../../src/ludotheque/web/static/study/rush_rules.js");

beforeEach(() => kept.clear());

const EASY = { id: "easy", rating: 900, difficulty: 0 };
const EVEN = { id: "even", rating: 1200, difficulty: 1 };
const HARD = { id: "hard", rating: 1900, difficulty: 2 };
const HERE = new BrowserSolving();

test("a solved puzzle raises the solver and lowers the puzzle, a hard one more", () => {
  const easy = rate("chess", EASY, true);
  const hard = rate("chess", HARD, true);
  assert.ok(0 < easy && easy < hard);
  assert.equal(solver("chess").rating, 1200 + easy + hard);
  assert.ok(ratingOf(HARD, HERE) < HARD.rating);
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
  assert.equal(nextPuzzle([EASY, EVEN, HARD], "chess", HERE)?.id, "even");
  assert.equal(nextPuzzle([EASY, EVEN, HARD], "chess", HERE, "even")?.id, "easy");
  for (const puzzle of [EASY, EVEN]) rate("chess", puzzle, true);
  assert.equal(nextPuzzle([EASY, EVEN, HARD], "chess", HERE)?.id, "hard");
  rate("chess", HARD, true);
  assert.notEqual(nextPuzzle([EASY, EVEN, HARD], "chess", HERE, "hard")?.id, "hard");
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

// With a profile.

/** @typedef {import("../../../src/ludotheque/web/static/wire").PuzzleAnswer} PuzzleAnswer */

const CHESS = { game: "chess", rating: 1500, tries: 3, run: 2, best: 2, tried: { easy: -4 }, solved: ["easy", "even"] };

/**
 * Answer requests from this table, and note what is sent.
 * @param {Record<string, object>} answers
 */
function serve(answers) {
  /** @type {[string, any][]} */
  const sent = [];
  Object.assign(globalThis, {
    fetch: async (/** @type {string} */ url, /** @type {{body?: string}} */ { body }) => {
      sent.push([url, body && JSON.parse(body)]);
      return { ok: true, json: async () => answers[url] };
    },
  });
  return sent;
}

test("without a profile the browser keeps what is solved", async () => {
  serve({ "/api/solving": { has_profile: false, days: 0, games: [] } });
  const solving = await loadSolving();
  const answer = /** @type {PuzzleAnswer} */ ({ is_best: true });
  assert.equal(solving.count({ game: "chess", puzzle: EVEN, day: "2026-03-01", isRated: true }, answer), 24);
  assert.ok(solving.isSolved("even") && solving.wasTried("even"));
  assert.equal(solving.days("2026-03-01"), 1);
  solving.count({ game: "chess", puzzle: HARD, day: "", isRated: false }, answer);
  assert.ok(solving.isSolved("hard") && !solving.wasTried("hard"), "a rush is not rated");
});

test("what a browser remembers joins the profile it gets, once, as answers and not as a rating", async () => {
  const profile = { has_profile: true, days: 1, games: [CHESS] };
  const sent = serve({ "/api/solving": { ...profile, games: [] }, "/api/solving/join": profile });
  rate("chess", HARD, false);
  new BrowserSolving().count(
    { game: "chess", puzzle: EVEN, day: "2026-03-01", isRated: true },
    /** @type {PuzzleAnswer} */ ({ is_best: true }),
  );
  assert.deepEqual(firstTries(), { hard: false, even: true });
  const solving = await loadSolving();
  assert.equal(solving.solver("chess").rating, 1500);
  assert.deepEqual(sent.at(-1), [
    "/api/solving/join",
    { tries: { hard: false, even: true }, solved: ["even"], days: ["2026-03-01"] },
  ]);
  assert.equal(kept.size, 0);
  await loadSolving();
  assert.deepEqual(sent.at(-1)?.[0], "/api/solving");
});

test("with a profile the server's answer says what a try has changed", () => {
  const solving = new ProfileSolving({ has_profile: true, days: 3, games: [CHESS] });
  assert.ok(solving.isSolved("even") && solving.wasTried("easy") && !solving.wasTried("even"));
  assert.equal(ratingOf(EASY, solving), 896);
  const counted = { change: -12, days: 4, solving: { ...CHESS, rating: 1488, tried: { easy: -4, even: 3 } } };
  const answer = /** @type {PuzzleAnswer} */ ({ is_best: false, counted });
  assert.equal(solving.count({ game: "chess", puzzle: EVEN, day: "", isRated: true }, answer), -12);
  assert.equal(solving.solver("chess").rating, 1488);
  assert.equal(solving.days(), 4);
  assert.equal(solving.solver("go").rating, 1200);
  assert.equal(nextPuzzle([EASY, EVEN, HARD], "chess", solving)?.id, "hard");
  assert.equal(kept.size, 0, "nothing is kept in the browser");
});
