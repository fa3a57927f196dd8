// @ts-check
// The solver's results: kept by the server for those who have a profile, else by this browser.

import { get, post } from "../lib/api.js";
import { firstTries, NEW_SOLVER, OFFSETS, offsetOf, rate, SOLVER, solver, wasTried } from "./rating.js";
import { DAYS, remember, SOLVED, solvedDays, solvedPuzzles, streak } from "./streak.js";

/** @typedef {import("../wire").PuzzleAnswer} PuzzleAnswer */
/** @typedef {import("../wire").GameSolving} GameSolving */
/** @typedef {import("./rating.js").Rated} Rated */
/** @typedef {import("./rating.js").Solver} Solver */
/** @typedef {BrowserSolving | ProfileSolving} Solving */
/** @typedef {{game: string, puzzle: Rated, day: string, isRated: boolean}} Tried */

/** The puzzles solved in this browser. */
export class BrowserSolving {
  /** @param {string} game */
  solver(game) {
    return solver(game);
  }

  /** @param {string} today */
  days(today) {
    return streak(today);
  }

  /** @param {string} id */
  isSolved(id) {
    return solvedPuzzles().includes(id);
  }

  /** @param {string} id */
  wasTried(id) {
    return wasTried(id);
  }

  /** @param {string} id */
  offsetOf(id) {
    return offsetOf(id);
  }

  /**
   * @param {Tried} tried
   * @param {PuzzleAnswer} answer
   * @returns {number} by how much the solver's rating has changed
   */
  count({ game, puzzle, day, isRated }, { is_best }) {
    if (is_best) remember(puzzle.id, day);
    return isRated ? rate(game, puzzle, is_best) : 0;
  }
}

/** The puzzles that a person has solved in all their browsers. */
export class ProfileSolving {
  #days;
  /** @type {Map<string, GameSolving>} */
  #games;

  /** @param {import("../wire").Solving} solving */
  constructor({ days, games }) {
    this.#days = days;
    this.#games = new Map(games.map((each) => [each.game, each]));
  }

  /**
   * @param {string} game
   * @returns {Solver}
   */
  solver(game) {
    return this.#games.get(game) ?? NEW_SOLVER;
  }

  days() {
    return this.#days;
  }

  /** @param {string} id */
  isSolved(id) {
    return [...this.#games.values()].some(({ solved }) => solved.includes(id));
  }

  /** @param {string} id */
  wasTried(id) {
    return [...this.#games.values()].some(({ tried }) => id in tried);
  }

  /** @param {string} id */
  offsetOf(id) {
    return [...this.#games.values()].find(({ tried }) => id in tried)?.tried[id] ?? 0;
  }

  /**
   * @param {Tried} tried
   * @param {PuzzleAnswer} answer
   * @returns {number} by how much the solver's rating has changed
   */
  count({ game }, { counted }) {
    if (!counted) return 0; // the profile has just been deleted
    this.#days = counted.days;
    this.#games.set(game, counted.solving);
    return counted.change;
  }
}

/**
 * The puzzles that the solver has solved; what this browser remembers joins their profile.
 * @returns {Promise<Solving>}
 */
export async function loadSolving() {
  /** @type {import("../wire").Solving} */
  const found = await get("/api/solving");
  return found.has_profile ? new ProfileSolving((await joinProfile()) ?? found) : new BrowserSolving();
}

/**
 * Let what this browser remembers join the profile that it has got.
 * @returns {Promise<import("../wire").Solving | null>} what the person has solved; null if this browser remembers nothing
 */
export async function joinProfile() {
  /** @type {Required<import("../wire").BrowserSolving>} */
  const remembered = { tries: firstTries(), solved: solvedPuzzles(), days: solvedDays() };
  if (Object.values(remembered).every((each) => Object.keys(each).length === 0)) return null;
  const joined = await post("/api/solving/join", remembered);
  for (const key of [SOLVER, OFFSETS, SOLVED, DAYS]) localStorage.removeItem(key);
  return joined;
}

/**
 * A puzzle's rating for this solver.
 * @param {Rated} puzzle
 * @param {Solving} solving
 */
export function ratingOf({ id, rating }, solving) {
  return Math.round(rating + solving.offsetOf(id));
}

/**
 * The puzzle to try next: one that was never tried, as hard as the solver is strong; once all were, any other.
 * @template {Rated} Puzzle
 * @param {Puzzle[]} puzzles
 * @param {string} game
 * @param {Solving} solving
 * @param {string} [current] the one that was just tried
 * @returns {Puzzle | undefined}
 */
export function nextPuzzle(puzzles, game, solving, current = "") {
  const { rating } = solving.solver(game);
  const others = puzzles.filter(({ id }) => id !== current);
  const fresh = others.filter(({ id }) => !solving.wasTried(id));
  if (fresh.length === 0) return others[Math.floor(Math.random() * others.length)];
  return fresh.reduce((best, each) => (Math.abs(each.rating - rating) < Math.abs(best.rating - rating) ? each : best));
}
