// @ts-check
// "Match me": the level between two at which this browser's player wins about half, by game. It follows their results.

/**
 * @typedef {object} Matched
 * @property {number} level
 * @property {number} games
 * @property {string[]} counted the latest tables that counted
 * @property {{table: string, before: string}} [last] the last of them, and the level before it
 */

const KEY = "match";
const [LOWEST, HIGHEST] = [1.1, 5.9];
const FIRST = 1.5; // level to begin with
const [LARGE, SMALL] = [0.6, 0.2]; // levels that the first result changes, and later ones
const COUNTED = 20; // tables to remember, so that each counts once

/** @returns {Record<string, Matched>} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/**
 * The player's match in a game.
 * @param {string} game
 * @returns {Matched}
 */
export function matched(game) {
  return { level: FIRST, games: 0, counted: [], ...kept()[game] };
}

/**
 * The level as the server knows it, never a whole one: "2.3".
 * @param {string} game
 */
export function matchLevel(game) {
  return written(matched(game).level);
}

/** @param {number} level */
function written(level) {
  const tenths = Math.round(10 * level);
  return String((tenths % 10 === 0 ? tenths + 1 : tenths) / 10);
}

/**
 * Move the match up after a win and down after a loss; a table counts once.
 * @param {string} game
 * @param {string} table
 * @param {number} share of the win
 * @returns {{before: string, after: string}} the level before this table, as far as it is known, and now
 */
export function countResult(game, table, share) {
  const { level, games, counted, last } = matched(game);
  const before = written(level);
  if (counted.includes(table)) return { before: last?.table === table ? last.before : before, after: before };
  const step = Math.max(SMALL, LARGE / (1 + games / 2));
  const moved = Math.min(HIGHEST, Math.max(LOWEST, level + step * (2 * share - 1)));
  /** @type {Matched} */
  const match = {
    level: moved,
    games: games + 1,
    counted: [...counted, table].slice(-COUNTED),
    last: { table, before },
  };
  localStorage.setItem(KEY, JSON.stringify({ ...kept(), [game]: match }));
  return { before, after: written(moved) };
}

/**
 * Whether a seat's bot plays at a player's match.
 * @param {string} level
 */
export function isMatch(level) {
  return /^[1-5]\.[1-9]$/.test(level);
}
