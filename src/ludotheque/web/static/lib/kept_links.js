// @ts-check
// The links that this tab got when it opened a table or asked for one: the server keeps only their digests.

/** The end of the address of a table that has just been set up with a seat for a friend. */
export const INVITE = "#invite";
const STORE = "links ";
const SHARED = "shared link ";
const CHALLENGED = "challenged ";

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

/**
 * The link for several friends, each of whom takes a free seat; empty if this tab knows none.
 * @param {string} table
 */
export function sharedLink(table) {
  return sessionStorage.getItem(SHARED + table) ?? "";
}

/**
 * @param {string} table
 * @param {string} path
 */
export function keepSharedLink(table, path) {
  sessionStorage.setItem(SHARED + table, path);
}

/**
 * Remember whom this tab challenged to a table.
 * @param {string} table
 * @param {string[]} names
 */
export function keepChallenged(table, names) {
  sessionStorage.setItem(CHALLENGED + table, JSON.stringify(names));
}

/**
 * Whether someone of this name was challenged, so that they need no link.
 * @param {string} table
 * @param {string} name
 */
export function isChallenged(table, name) {
  return JSON.parse(sessionStorage.getItem(CHALLENGED + table) ?? "[]").includes(name);
}
