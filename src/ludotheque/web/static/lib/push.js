// @ts-check
// Push messages: notifications that this browser gets while no page of the site is open.

import { get, post, RequestError } from "./api.js";
import { _ } from "./translate.js";

/** Whether this browser can take push messages from this site. */
export function canPush() {
  return Boolean(navigator.serviceWorker && "PushManager" in globalThis && "Notification" in globalThis);
}

/** @returns {Promise<PushSubscription | null>} that of this browser */
async function subscription() {
  const registration = canPush() ? await navigator.serviceWorker.getRegistration() : undefined;
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Whether this browser takes push messages. */
export async function isPushOn() {
  return (await subscription()) !== null;
}

/** Ask for permission, and subscribe this browser if it is given. */
export async function startPush() {
  if ((await Notification.requestPermission()) !== "granted") return;
  await (await subscription())?.unsubscribe(); // it may be for another key
  /** @type {import("../wire").PushKey} */
  const { key } = await get("/api/push");
  await tellServer(await subscribe(key));
}

/** @param {string} key of the server */
async function subscribe(key) {
  const { pushManager } = await navigator.serviceWorker.ready;
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch (error) {
    console.warn(error);
    throw new RequestError(0, "no-push", _("Your browser could not reach its push service."));
  }
}

/** @param {PushSubscription} found */
async function tellServer(found) {
  const { endpoint, keys } = found.toJSON();
  await post("/api/push", { endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
}

/** Take no more push messages. */
export async function endPush() {
  const endpoint = await forgetPush();
  if (endpoint) await post("/api/push/end", { endpoint });
}

/**
 * End the subscription of this browser; the server has forgotten it already, or is told.
 * @returns {Promise<string | undefined>} the address that it had
 */
export async function forgetPush() {
  const found = await subscription();
  await found?.unsubscribe();
  return found?.endpoint;
}

/** Tell the server again where this browser takes messages, after its key has changed. */
export async function renewPush() {
  const found = await subscription();
  if (found) await tellServer(found);
}
