// @ts-check
// Ratings of the solver and of the puzzles, on the scale of chess ratings: kept in the browser alone.

/** @typedef {{id: string, rating: number}} Rated */
/** @typedef {{rating: number, tries: number, run: number, best: number}} Solver `run`: solved in a row */

const SOLVER = "puzzles:rating";
const OFFSETS = "puzzles:offsets";
const FIRST = 1200; // rating of a new solver
const LEARNING = 15; // first tries after which a rating moves more slowly
const [FAST, SLOW, PUZZLE] = [48, 24, 12]; // points that a try can change

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
  return { rating: FIRST, tries: 0, run: 0, best: 0, ...kept(SOLVER)[game] };
}

/**
 * A puzzle's rating here, after the tries of this solver.
 * @param {Rated} puzzle
 */
export function ratingOf({ id, rating }) {
  const offset = Number(kept(OFFSETS)[id] ?? 0);
  return Math.round(rating + (Number.isFinite(offset) ? offset : 0));
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
  const surprise = Number(isSolved) - expected(before.rating, ratingOf(puzzle));
  const change = Math.round((before.tries < LEARNING ? FAST : SLOW) * surprise);
  const run = isSolved ? before.run + 1 : 0;
  const after = { rating: before.rating + change, tries: before.tries + 1, run, best: Math.max(before.best, run) };
  localStorage.setItem(SOLVER, JSON.stringify({ ...kept(SOLVER), [game]: after }));
  localStorage.setItem(OFFSETS, JSON.stringify({ ...kept(OFFSETS), [puzzle.id]: Math.round(-PUZZLE * surprise) }));
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

/**
 * The puzzle to try next: one that was never tried, as hard as the solver is strong; once all were, any other.
 * @template {Rated} Puzzle
 * @param {Puzzle[]} puzzles
 * @param {string} game
 * @param {string} [current] the one that was just tried
 * @returns {Puzzle | undefined}
 */
export function nextPuzzle(puzzles, game, current = "") {
  const { rating } = solver(game);
  const others = puzzles.filter(({ id }) => id !== current);
  const fresh = others.filter(({ id }) => !wasTried(id));
  if (fresh.length === 0) return others[Math.floor(Math.random() * others.length)];
  return fresh.reduce((best, each) =>
    Math.abs(ratingOf(each) - rating) < Math.abs(ratingOf(best) - rating) ? each : best,
  );
}
