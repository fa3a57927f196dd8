// @ts-check
// Fair dice: checks in this browser that every draw of a finished game followed from the seed that was committed to.
// docs/protocol.md describes the generator to the byte.

import { commitmentOf, fromHexadecimal } from "./commitment.js";

/** @typedef {import("../../wire").Draws} Draws */
/** @typedef {import("../../wire").Draw["outcomes"]} Outcomes */
/** @typedef {import("../../wire").Nonce} Nonce */
/**
 * @typedef {object} DiceCheck
 * @property {number} checked how many draws followed from the seed, up to the first wrong one
 * @property {number} others how many draws were made by other dice, before this table took the game up
 * @property {boolean} committed whether the seed and the nonces are those committed to
 * @property {{ply: number, drawn: string, due: string} | null} wrong the first draw that the seed does not give
 */

const SPAN = 1n << 64n;
const LABEL = "ludotheque-dice-1";
const NONCES_LABEL = "ludotheque-nonces-1";

/**
 * Check the draws of a game.
 * @param {Draws} draws
 * @returns {Promise<DiceCheck>}
 */
export async function checkDice({ commitment, seed, since, nonces = [], draws }) {
  const committed = (await isCommitted(seed, commitment)) && (await areCommitted(nonces));
  const key = await importKey(await mix(fromHexadecimal(seed), nonces));
  const own = draws.filter((draw) => draw.ply > since);
  const others = draws.length - own.length;
  let checked = 0;
  for (const { ply, drawn, outcomes } of own) {
    const due = outcomeAt(await numberBelow(total(outcomes), key, ply), outcomes);
    if (due !== drawn) return { checked, others, committed, wrong: { ply, drawn: word(drawn), due: word(due) } };
    checked += 1;

    /** @param {number} place */
    function word(place) {
      return outcomes[place]?.[1] ?? "?";
    }
  }
  return { checked, others, committed, wrong: null };
}

/** @param {Nonce[]} nonces */
async function areCommitted(nonces) {
  const checks = nonces.map(({ nonce, commitment }) => !nonce || isCommitted(nonce, commitment));
  return (await Promise.all(checks)).every(Boolean);
}

/**
 * @param {string} text in hexadecimal
 * @param {string} commitment
 */
async function isCommitted(text, commitment) {
  return (await commitmentOf(text)) === commitment;
}

/**
 * The bytes of the key that makes the draws: the seed together with the nonces that were revealed.
 * @param {Uint8Array<ArrayBuffer>} seed
 * @param {Nonce[]} nonces by seat
 */
export async function mix(seed, nonces) {
  const revealed = nonces.filter(({ nonce }) => nonce).map(({ seat, nonce }) => `/${seat}:${nonce}`);
  if (revealed.length === 0) return seed;
  const message = new TextEncoder().encode(NONCES_LABEL + revealed.join(""));
  return new Uint8Array(await crypto.subtle.sign("HMAC", await importKey(seed), message));
}

/**
 * A key to make draws with.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export function importKey(bytes) {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/**
 * The number from 0 to `below` - 1 that the key gives for a ply.
 * @param {bigint} below
 * @param {CryptoKey} key
 * @param {number} ply
 */
export async function numberBelow(below, key, ply) {
  const fair = SPAN - (SPAN % below);
  for (let attempt = 0; ; attempt += 1) {
    const message = new TextEncoder().encode(`${LABEL}/${ply}/${attempt}`);
    const number = new DataView(await crypto.subtle.sign("HMAC", key, message)).getBigUint64(0);
    if (number < fair) return number % below;
  }
}

/**
 * The outcome that a number falls on when they lie side by side, each as wide as its weight.
 * @param {bigint} number
 * @param {Outcomes} outcomes
 */
export function outcomeAt(number, outcomes) {
  let left = number;
  return outcomes.findIndex(([weight]) => {
    left -= BigInt(weight);
    return left < 0n;
  });
}

/** @param {Outcomes} outcomes */
function total(outcomes) {
  return outcomes.reduce((sum, [weight]) => sum + BigInt(weight), 0n);
}
