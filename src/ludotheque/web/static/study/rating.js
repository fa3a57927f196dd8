// @ts-check
// Ratings of the solver and of the puzzles, on the scale of chess ratings, as a browser without a profile keeps them.
// With a profile the server keeps them, by the same rules (`study/solver.py`).

/** @typedef {{id: string, rating: number}} Rated */
/** @typedef {{rating: number, tries: number, run: number, best: number}} Solver `run`: solved in a row */

export const SOLVER = "puzzles:rating";
export const OFFSETS = "puzzles:offsets";
const FIRST = 1200; // rating of a new solver
const LEARNING = 15; // first tries after which a rating moves more slowly
const [FAST, SLOW, PUZZLE] = [48, 24, 12]; // points that a try can change

/** @type {Solver} */
export const NEW_SOLVER = { rating: FIRST, tries: 0, run: 0, best: 0 };

/**
 * @template Kept
 * @param {string} key
 * @returns {Record<string, Kept>}
 */
function kept(key) {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

/**
 * The solver of a game's puzzles.
 * @param {string} game
 * @returns {Solver}
 */
export function solver(game) {
  return { ...NEW_SOLVER, ...kept(SOLVER)[game] };
}

/**
 * The points by which a puzzle's rating has changed for this solver.
 * @param {string} id
 */
export function offsetOf(id) {
  const offset = Number(kept(OFFSETS)[id] ?? 0);
  return Number.isFinite(offset) ? offset : 0;
}

/**
 * The puzzles that were tried, and whether the first try solved them: that lowers a puzzle's rating.
 * @returns {Record<string, boolean>}
 */
export function firstTries() {
  return Object.fromEntries(Object.entries(kept(OFFSETS)).map(([id, offset]) => [id, Number(offset) < 0]));
}

/** @param {string} id whether it was tried before: only the first try counts */
export function wasTried(id) {
  return id in kept(OFFSETS);
}

/**
 * Count the first try of a puzzle; later ones change nothing.
 * @param {string} game
 * @param {Rated} puzzle
 * @param {boolean} isSolved
 * @returns {number} by how much the solver's rating has changed
 */
export function rate(game, puzzle, isSolved) {
  if (wasTried(puzzle.id)) return 0;
  const before = solver(game);
  const surprise = Number(isSolved) - expected(before.rating, puzzle.rating);
  const change = Math.round((before.tries < LEARNING ? FAST : SLOW) * surprise);
  const run = isSolved ? before.run + 1 : 0;
  const after = { rating: before.rating + change, tries: before.tries + 1, run, best: Math.max(before.best, run) };
  localStorage.setItem(SOLVER, JSON.stringify({ ...kept(SOLVER), [game]: after }));
  localStorage.setItem(OFFSETS, JSON.stringify({ ...kept(OFFSETS), [puzzle.id]: -PUZZLE * surprise }));
  return change;
}

/**
 * The share of such puzzles that such a solver finds at once.
 * @param {number} solverRating
 * @param {number} puzzleRating
 */
export function expected(solverRating, puzzleRating) {
  return 1 / (1 + 10 ** ((puzzleRating - solverRating) / 400));
}
