// @ts-check
// The solved puzzles, and the days in a row, as a browser without a profile keeps it.

export const SOLVED = "puzzles:solved";
export const DAYS = "puzzles:days";
const DAY = 86_400_000; // milliseconds

/**
 * @param {string} key
 * @returns {string[]}
 */
function kept(key) {
  try {
    const list = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

export function solvedPuzzles() {
  return kept(SOLVED);
}

/** The days whose puzzle was solved. */
export function solvedDays() {
  return kept(DAYS);
}

/**
 * Remember that a puzzle was solved; with a day, that this day's was.
 * @param {string} puzzle
 * @param {string} day
 */
export function remember(puzzle, day) {
  localStorage.setItem(SOLVED, JSON.stringify([...new Set([...kept(SOLVED), puzzle])]));
  if (day) localStorage.setItem(DAYS, JSON.stringify([...new Set([...kept(DAYS), day])]));
}

/**
 * The number of days in a row, up to this one or the one before, on which a puzzle of the day was solved.
 * @param {string} today
 */
export function streak(today) {
  const days = new Set(kept(DAYS));
  let day = Date.parse(today);
  if (!days.has(today)) day -= DAY;
  let count = 0;
  while (days.has(new Date(day).toISOString().slice(0, 10))) {
    count += 1;
    day -= DAY;
  }
  return count;
}
