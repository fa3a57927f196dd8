// @ts-check
// The secrets of links to tournaments and clubs that this browser has followed or got: the server keeps only digests.

/**
 * @param {string} kind
 * @param {string} id
 */
export function keptSecret(kind, id) {
  return localStorage.getItem(`${kind} ${id}`) ?? "";
}

/**
 * @param {string} kind
 * @param {string} id
 * @param {string} secret
 */
export function keepSecret(kind, id, secret) {
  localStorage.setItem(`${kind} ${id}`, secret);
}

/**
 * Keep the secret in the address, and take it out of there.
 * @param {string} kind
 * @param {string} id
 */
export function keepSecretOfAddress(kind, id) {
  const secret = location.hash.slice(1);
  if (!secret) return;
  keepSecret(kind, id, secret);
  history.replaceState(null, "", location.pathname + location.search);
}

/**
 * The header by which a request carries a secret.
 * @param {string} secret
 * @returns {Record<string, string>}
 */
export function bearer(secret) {
  return secret ? { Authorization: `Bearer ${secret}` } : {};
}
