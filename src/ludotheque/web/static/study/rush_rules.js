// @ts-check
// The rules of a rush, and the best result in this browser.

/** @typedef {import("../wire").PuzzleEntry} PuzzleEntry */

export const SECONDS = 180;
export const STRIKES = 3;
const BEST = "puzzles:rush";
const SPREAD = 150; // rating points within which the order is by chance

/**
 * Puzzles for a rush: from easy to hard, another order each time.
 * @param {PuzzleEntry[]} puzzles
 * @param {() => number} [random]
 */
export function order(puzzles, random = Math.random) {
  const keyed = puzzles.map((puzzle) => ({ puzzle, key: puzzle.rating + SPREAD * (2 * random() - 1) }));
  return keyed.sort((one, two) => one.key - two.key).map(({ puzzle }) => puzzle);
}

/** @param {string} game */
export function bestRush(game) {
  return bests()[game] ?? 0;
}

/**
 * Keep a result if it is the best.
 * @param {string} game
 * @param {number} solved
 */
export function keepRush(game, solved) {
  if (solved > bestRush(game)) localStorage.setItem(BEST, JSON.stringify({ ...bests(), [game]: solved }));
}

/** @returns {Record<string, number>} */
function bests() {
  try {
    return JSON.parse(localStorage.getItem(BEST) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/**
 * Minutes and seconds: "2:05".
 * @param {number} seconds
 */
export function timeText(seconds) {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
