// @ts-check
// The last plies that someone has seen at their tables, in this browser: whoever comes back is told what they missed.

const KEY = "seen-plies";
const MOST = 60; // tables, the latest

/**
 * The ply up to which a table was seen; null if it never was.
 * @param {string} table
 * @returns {number | null}
 */
export function seenPly(table) {
  return stored()[table] ?? null;
}

/**
 * @param {string} table
 * @param {number} ply
 */
export function rememberPly(table, ply) {
  const { [table]: before, ...others } = stored();
  if (before === ply) return;
  const latest = Object.entries(others).slice(1 - MOST);
  localStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(latest), [table]: ply }));
}

/** @returns {Record<string, number>} by table, the latest last */
function stored() {
  return JSON.parse(localStorage.getItem(KEY) ?? "{}");
}
