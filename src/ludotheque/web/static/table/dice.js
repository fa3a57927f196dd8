// @ts-check
// Fair dice: checks in this browser that every draw of a finished game followed from the seed that was committed to.
// docs/protocol.md describes the generator to the byte.

/** @typedef {import("../wire").Draws} Draws */
/** @typedef {import("../wire").Draw["outcomes"]} Outcomes */
/**
 * @typedef {object} DiceCheck
 * @property {number} checked how many draws followed from the seed, up to the first wrong one
 * @property {number} others how many draws were made by other dice, before this table took the game up
 * @property {boolean} committed whether the seed is the one committed to
 * @property {{ply: number, drawn: string, due: string} | null} wrong the first draw that the seed does not give
 */

const SPAN = 1n << 64n;
const LABEL = "ludotheque-dice-1";

/** Whether this browser can check at all: it offers no cryptography to pages over plain http. */
export const canCheck = () => Boolean(globalThis.crypto?.subtle);

/**
 * Check the draws of a game.
 * @param {Draws} draws
 * @returns {Promise<DiceCheck>}
 */
export async function checkDice({ commitment, seed, since, draws }) {
  const bytes = fromHexadecimal(seed);
  const committed = toHexadecimal(await crypto.subtle.digest("SHA-256", bytes)) === commitment;
  const key = await importSeed(bytes);
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

/**
 * The key that draws are made with.
 * @param {Uint8Array<ArrayBuffer>} seed
 */
export function importSeed(seed) {
  return crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/**
 * The number from 0 to `below` - 1 that the seed gives for a ply.
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
 * Which outcome a number falls on when they lie side by side, each as wide as its weight.
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

/** @param {string} text */
export function fromHexadecimal(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** @param {ArrayBuffer} buffer */
export function toHexadecimal(buffer) {
  return [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
