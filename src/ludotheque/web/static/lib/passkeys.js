// @ts-check
// Passkeys (WebAuthn): a device keeps a key that signs its owner in on another browser.

import { post, RequestError } from "./api.js";
import { _ } from "./translate.js";

/**
 * Whether this browser has passkeys, and the page is shown under the name for which they work.
 * @param {string | undefined} host
 */
export function canUsePasskeys(host) {
  return location.hostname === host && "PublicKeyCredential" in globalThis;
}

/** Make a passkey for one's profile. */
export async function addPasskey() {
  /** @type {import("../wire").NewPasskey} */
  const asked = await post("/api/passkeys/new");
  const made = await done(
    navigator.credentials.create({
      publicKey: {
        challenge: bytes(asked.challenge),
        rp: { id: asked.host, name: "Ludotheque" },
        user: { id: bytes(asked.handle), name: asked.name, displayName: asked.name },
        pubKeyCredParams: asked.algorithms.map((alg) => ({ alg, type: "public-key" })),
        excludeCredentials: asked.known.map((id) => ({ id: bytes(id), type: "public-key" })),
        authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
        attestation: "none",
      },
    }),
  );
  const response = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  await post("/api/passkeys", {
    client_data: base64url(response.clientDataJSON),
    attestation: base64url(response.attestationObject),
  });
}

/**
 * Let a passkey sign that its owner is here.
 * @returns {Promise<object>} what the server wants to know
 */
export async function signWithPasskey() {
  /** @type {import("../wire").PasskeyChallenge} */
  const asked = await post("/api/passkeys/challenge");
  const signed = await done(
    navigator.credentials.get({
      publicKey: { challenge: bytes(asked.challenge), rpId: asked.host, userVerification: "required" },
    }),
  );
  const response = /** @type {AuthenticatorAssertionResponse} */ (signed.response);
  return {
    id: signed.id,
    client_data: base64url(response.clientDataJSON),
    authenticator_data: base64url(response.authenticatorData),
    signature: base64url(response.signature),
    handle: base64url(response.userHandle ?? new ArrayBuffer(0)),
  };
}

/**
 * @param {Promise<Credential | null>} asking the person
 * @returns {Promise<PublicKeyCredential>}
 */
async function done(asking) {
  try {
    return /** @type {PublicKeyCredential} */ (await asking);
  } catch (error) {
    console.warn(error); // the person has closed the dialog, or has no such passkey
    throw new RequestError(0, "no-passkey", _("No passkey was used."));
  }
}

/** @param {string} text in base64url */
function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer} data */
function base64url(data) {
  const plain = String.fromCharCode(...new Uint8Array(data));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
