// Fair dice: checks in this browser that every draw of a finished game followed from the seed that was committed to.
// The generator is written down to the byte in docs/protocol.md.

const SPAN = 1n << 64n;
const LABEL = "ludotheque-dice-1";

/** Whether this browser can check at all: it has no cryptography for pages that come over plain http. */
export const canCheck = () => Boolean(globalThis.crypto?.subtle);

/** Checks what `/draws` told: `{checked, others, committed, wrong}`.
 *
 * `checked`: how many draws followed from the seed, up to the first wrong one; `others`: how many were made by other
 * dice, before this table took the game up; `committed`: whether the seed is the one committed to; `wrong`: the first
 * draw that the seed does not give, as `{ply, drawn, due}` in the game's notation, or null. */
export async function checkDice({ commitment, seed, since, draws }) {
  const bytes = fromHexadecimal(seed);
  const committed = toHexadecimal(await crypto.subtle.digest("SHA-256", bytes)) === commitment;
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const own = draws.filter((draw) => draw.ply > since);
  let checked = 0;
  for (const { ply, drawn, outcomes } of own) {
    const due = outcomeAt(await numberBelow(total(outcomes), key, ply), outcomes);
    if (due !== drawn) {
      return {
        checked,
        others: draws.length - own.length,
        committed,
        wrong: { ply, drawn: outcomes[drawn][1], due: outcomes[due][1] },
      };
    }
    checked += 1;
  }
  return { checked, others: draws.length - own.length, committed, wrong: null };
}

/** The number from 0 to total - 1 that the seed gives for a ply. */
async function numberBelow(below, key, ply) {
  const fair = SPAN - (SPAN % below);
  for (let attempt = 0; ; attempt += 1) {
    const message = new TextEncoder().encode(`${LABEL}/${ply}/${attempt}`);
    const number = new DataView(await crypto.subtle.sign("HMAC", key, message)).getBigUint64(0);
    if (number < fair) return number % below;
  }
}

/** Which outcome a number falls on when they lie side by side, each as wide as its weight. */
function outcomeAt(number, outcomes) {
  let left = number;
  return outcomes.findIndex(([weight]) => {
    left -= BigInt(weight);
    return left < 0n;
  });
}

function total(outcomes) {
  return outcomes.reduce((sum, [weight]) => sum + BigInt(weight), 0n);
}

function fromHexadecimal(text) {
  return Uint8Array.from(text.match(/../g), (byte) => parseInt(byte, 16));
}

function toHexadecimal(buffer) {
  return [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
