// @ts-check
// This browser's part in the dice of tables: it commits to a random nonce when it takes a seat, keeps it, and reveals
// it once all have committed. docs/protocol.md says how and why.

import { get, post } from "../../lib/api.js";
import { tableUrl } from "../view.js";
import { canCheck, commitmentOf, toHexadecimal } from "./commitment.js";

/** @typedef {import("../../wire").Nonce} Nonce */
/** @typedef {import("../../wire").Draws} Draws */
/**
 * @typedef {object} Kept what this browser knows of the dice of a table
 * @property {Record<string, string>} nonces its own, by commitment
 * @property {string} [commitment] of the server's seed, when it revealed them
 * @property {string[]} [commitments] of everyone's nonces, when it revealed them
 */

const STORE = "dice";
const MOST_TABLES = 50;

/** A new nonce with its commitment; null without cryptography: then this browser adds nothing. */
export async function newNonce() {
  if (!canCheck()) return null;
  const nonce = toHexadecimal(crypto.getRandomValues(new Uint8Array(32)).buffer);
  return { nonce, commitment: await commitmentOf(nonce) };
}

/** @returns {Record<string, Kept>} */
function stored() {
  return JSON.parse(localStorage.getItem(STORE) ?? "{}");
}

/**
 * @param {string} table
 * @returns {Kept}
 */
export function kept(table) {
  return stored()[table] ?? { nonces: {} };
}

/**
 * @param {string} table
 * @param {Partial<Kept>} more
 */
function keep(table, more) {
  const { [table]: known = { nonces: {} }, ...others } = stored();
  const latest = Object.entries(others).slice(1 - MOST_TABLES);
  localStorage.setItem(STORE, JSON.stringify({ ...Object.fromEntries(latest), [table]: { ...known, ...more } }));
}

/**
 * Keep a nonce until the dice need it.
 * @param {string} table
 * @param {{nonce: string, commitment: string}} added
 */
export function keepNonce(table, { nonce, commitment }) {
  keep(table, { nonces: { ...kept(table).nonces, [commitment]: nonce } });
}

/**
 * Commit to a nonce for each seat of this browser that has none: at a rematch, or where the dice are fresh.
 * @param {string} table
 * @param {number[]} mine
 * @param {Nonce[]} all the commitments so far
 */
export async function commitSeats(table, mine, all) {
  for (const seat of mine.filter((seat) => !all.some((added) => added.seat === seat))) {
    const added = await newNonce();
    if (!added) return;
    keepNonce(table, added);
    await post(`${tableUrl(table)}/commitments`, { seat, commitment: added.commitment });
  }
}

/**
 * Add to the dice of a rematch from the page of the game before, whose person may take a moment to go there.
 * @param {string} table
 * @param {() => Promise<void>} wait until it is worth looking again
 */
export async function addToRematch(table, wait) {
  for (;;) {
    /** @type {import("../view.js").View} */
    const { dice, mine } = await get(tableUrl(table));
    if (!dice || dice.state === "closed" || !canCheck()) return;
    if (dice.state === "reveal") return revealNonces(table, dice.commitment, dice.nonces);
    await commitSeats(table, mine, dice.nonces);
    await wait();
  }
}

/**
 * Reveal the nonces of this browser, and remember what everyone had committed to by then.
 * @param {string} table
 * @param {string} commitment of the server's seed
 * @param {Nonce[]} all the commitments of all seats
 */
export async function revealNonces(table, commitment, all) {
  keep(table, { commitment, commitments: all.map((added) => added.commitment) });
  const { nonces } = kept(table);
  for (const added of all) {
    const nonce = nonces[added.commitment];
    if (nonce) await post(`${tableUrl(table)}/nonces`, { seat: added.seat, nonce });
  }
}

/**
 * Whether the dice are those that this browser added to: the same commitments of all as when it revealed its own part.
 * True if it added nothing to them: to none, or to those before `since`. `checkDice` compares the commitments with what was revealed.
 * @param {Kept} known
 * @param {Draws} draws
 */
export function areTheSame(known, { commitment, since, nonces }) {
  if (!known.commitment || !known.commitments || (since > 0 && commitment !== known.commitment)) return true;
  const found = nonces.map((added) => added.commitment);
  return commitment === known.commitment && found.join() === known.commitments.join();
}
