// @ts-check
// Opening a table as it was set up, and the last set-up of this browser, to play it again in one press.

import { post } from "../lib/api.js";
import { INVITE, keepChallenged, keepLinks, keepSharedLink } from "../lib/kept_links.js";
import { keepNonce, newNonce, revealNonces } from "../table/dice/nonces.js";

/** @typedef {import("../wire").NewSeat} NewSeat */
/**
 * @typedef {object} Setup
 * @property {string} game
 * @property {Record<string, unknown>} options
 * @property {NewSeat[]} seats
 * @property {boolean} hints
 * @property {boolean} [watchable]
 * @property {boolean} [rated]
 * @property {import("../wire").ClockRule | null} clock
 */

const STORE = "last-setup";

/**
 * Open a table, with what this browser adds to its dice, and return its address.
 * @param {Setup} setup
 */
export async function openTable({ seats, ...setup }) {
  const nonces = await Promise.all(seats.map(({ who }) => (who === "me" ? newNonce() : null)));
  const committed = seats.map((seat, number) => ({ ...seat, commitment: nonces[number]?.commitment ?? "" }));
  /** @type {import("../wire").Opened} */
  const table = await post("/api/tables", { ...setup, seats: committed, shared_dice: true });
  for (const added of nonces) if (added) keepNonce(table.id, added);
  const all = committed.flatMap(({ commitment }, seat) => (commitment ? [{ seat, commitment }] : []));
  if (table.commitment) await revealNonces(table.id, table.commitment, all);
  keepLinks(table.id, ...table.links.map(({ url }) => url));
  keepSharedLink(table.id, table.link ?? "");
  keepChallenged(
    table.id,
    seats.flatMap(({ profile, name = "" }) => (profile ? [name] : [])),
  );
  return table.links.length > 0 ? table.url + INVITE : table.url;
}

/**
 * Remember a set-up; who was challenged is not challenged again by playing it again.
 * @param {string} title of the game, or of its variant
 * @param {Setup} setup
 */
export function rememberSetup(title, setup) {
  const seats = setup.seats.map(({ profile: _profile, ...seat }) => seat);
  localStorage.setItem(STORE, JSON.stringify({ title, setup: { ...setup, seats } }));
}

/** @returns {{title: string, setup: Setup} | null} */
export function lastSetup() {
  return JSON.parse(localStorage.getItem(STORE) ?? "null");
}
