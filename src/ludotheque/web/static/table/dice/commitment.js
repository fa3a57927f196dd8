// @ts-check
// Commitments to seeds and nonces, in this browser.

/** Whether this browser can check at all: it offers no cryptography to pages over plain http. */
export const canCheck = () => Boolean(globalThis.crypto?.subtle);

/**
 * The SHA-256 of a seed or of a nonce.
 * @param {string} text in hexadecimal
 */
export async function commitmentOf(text) {
  return toHexadecimal(await crypto.subtle.digest("SHA-256", fromHexadecimal(text)));
}

/** @param {string} text */
export function fromHexadecimal(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** @param {ArrayBuffer} buffer */
export function toHexadecimal(buffer) {
  return [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
