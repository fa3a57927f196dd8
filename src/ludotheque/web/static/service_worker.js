// @ts-check
// The service worker: shows a page of its own when the server cannot be reached. Boards always come from the network.
// It shows push messages; a press on a notification goes to the page that it is about.
//
// Its address holds a version and a language. With a new version or language the browser installs it anew: it then
// stores the offline page with the files that this page needs, and deletes what an older one had stored.

/** @typedef {Event & {waitUntil: (work: Promise<unknown>) => void}} LifeEvent */
/** @typedef {LifeEvent & {request: Request, preloadResponse: Promise<Response | undefined>, respondWith: (response: Promise<Response>) => void}} FetchEvent */
/** @typedef {LifeEvent & {notification: Notification}} NoteEvent */
/** @typedef {LifeEvent & {data: {json: () => PushMessage}}} PushEvent */
/** @typedef {{title: string, body: string, url: string, count: number}} PushMessage */
/** @typedef {LifeEvent & {oldSubscription: PushSubscription | null}} ChangedSubscription */
/** @typedef {{url: string, focus: () => Promise<unknown>}} OpenPage */
/**
 * @typedef {object} Pages what this script uses of `Clients`
 * @property {() => Promise<void>} claim
 * @property {(options: {type: "window", includeUncontrolled: boolean}) => Promise<OpenPage[]>} matchAll
 * @property {(path: string) => Promise<unknown>} openWindow
 */
/**
 * @typedef {object} WorkerScope what this script uses of `ServiceWorkerGlobalScope`
 * @property {() => Promise<void>} skipWaiting
 * @property {Pages} clients
 * @property {ServiceWorkerRegistration} registration
 * @property {(kind: string, listener: (event: any) => void) => void} addEventListener
 */

const worker = /** @type {WorkerScope} */ (/** @type {unknown} */ (globalThis));
const address = new URL(location.href).searchParams;
const PREFIX = "ludotheque ";
const CACHE = `${PREFIX}${address.get("v")} ${address.get("lang")}`;
const ICON = "/static/icons/icon-192.png";
const OFFLINE = `/offline?lang=${address.get("lang")}`;

/** Store the offline page and the versioned files that it names. */
async function install() {
  const page = await fetch(OFFLINE, { cache: "no-store" });
  if (!page.ok) throw new Error(`The offline page could not be stored: ${page.status}`);
  const found = (await page.clone().text()).matchAll(/="(\/static\/[^"]+\?v=[^"]+)"/g);
  const files = new Set([...found].map(([, file = ""]) => file));
  const cache = await caches.open(CACHE);
  await cache.addAll([...files]);
  await cache.put(OFFLINE, page);
  await worker.skipWaiting();
}

/** Delete what older versions stored, and take over the open pages. */
async function activate() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/**
 * A page from the network; without one, the offline page.
 * @param {FetchEvent} event
 */
async function openPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return stored(OFFLINE);
  }
}

/** @param {string} url */
async function stored(url) {
  return (await (await caches.open(CACHE)).match(url)) ?? Response.error();
}

/**
 * A versioned file: it never changes, so that a stored one is as good as that of the network.
 * @param {Request} request
 */
async function versionedFile(request) {
  return (await (await caches.open(CACHE)).match(request)) ?? fetch(request);
}

/** @param {FetchEvent} event */
function answer(event) {
  const { request } = event;
  const { origin, pathname, searchParams } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(openPage(event));
  else if (pathname.startsWith("/static/") && searchParams.has("v")) event.respondWith(versionedFile(request));
}

/**
 * Go to the page that a note is about; open it if it was closed.
 * @param {NoteEvent} event
 */
async function showPage({ notification }) {
  notification.close();
  const path = notification.data;
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => new URL(url).pathname === path);
  await (page ? page.focus() : worker.clients.openWindow(path));
}

/**
 * Show a message of the server; a newer one about the same page replaces it.
 * @param {PushEvent} event
 */
async function showMessage({ data }) {
  const { title, body, url, count } = data.json();
  await worker.registration.showNotification(title, { body, data: url, tag: url, icon: ICON });
  await navigator.setAppBadge?.(count);
}

/**
 * Subscribe anew when the browser has ended a subscription, and tell the server.
 * @param {ChangedSubscription} event
 */
async function renewSubscription({ oldSubscription }) {
  if (!oldSubscription) return;
  const { endpoint, keys } = (await worker.registration.pushManager.subscribe(oldSubscription.options)).toJSON();
  const body = JSON.stringify({ endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
  await fetch("/api/push", { method: "POST", headers: { "Content-Type": "application/json" }, body });
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", answer);
worker.addEventListener("notificationclick", (event) => event.waitUntil(showPage(event)));
worker.addEventListener("push", (event) => event.waitUntil(showMessage(event)));
worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renewSubscription(event)));
