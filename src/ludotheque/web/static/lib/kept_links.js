// @ts-check
// The links that this tab got when it opened a table or asked for one: the server keeps only their digests.

/** The end of the address of a table that has just been set up with a seat for a friend. */
export const INVITE = "#invite";
const STORE = "links ";

/**
 * @param {string} table
 * @returns {string[]} their paths
 */
export function keptLinks(table) {
  return JSON.parse(sessionStorage.getItem(STORE + table) ?? "[]");
}

/**
 * @param {string} table
 * @param {...string} paths
 */
export function keepLinks(table, ...paths) {
  sessionStorage.setItem(STORE + table, JSON.stringify([...keptLinks(table), ...paths]));
}
