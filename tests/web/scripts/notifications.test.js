// Notes about one's turn, on the modules that are served: who shows them, and where a press on one leads.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const PATH = "/t/t1";
const notes = [];
/** What the browser has: each test says. */
const browser = { registration: undefined };
globalThis.HTMLElement = class {};
globalThis.HTMLInputElement = class extends HTMLElement {
  addEventListener() {}
};
globalThis.localStorage = { getItem: () => "on" };
globalThis.location = { pathname: PATH, href: "https://here/service-worker.js?v=1&lang=en", origin: "https://here" };
globalThis.document = {
  hidden: true,
  getElementById: () => null,
  querySelector: (selector) => (selector.includes("notify") ? new HTMLInputElement() : null),
};
const listeners = {};
globalThis.addEventListener = (kind, listener) => {
  listeners[kind] = listener;
};
const serviceWorker = { getRegistration: async () => browser.registration };
Object.defineProperty(globalThis, "navigator", { value: { serviceWorker } });
console.warn = () => {};

const { Notifications } = await import("../../../src/ludotheque/web/static/table/people/notifications.js");
await import("../../../src/ludotheque/web/static/service_worker.js");

/** Let a turn begin; the title of the page says whether the whole of it was shown. */
async function beginTurn() {
  const notifications = new Notifications("Passerelles");
  for (const to_move of [1, 0, 0]) notifications.follow({ over: false, mine: [0], to_move });
  await new Promise((done) => setImmediate(done));
  return document.title;
}

beforeEach(() => {
  notes.length = 0;
  browser.registration = undefined;
  globalThis.Notification = class {
    constructor(title, { body }) {
      notes.push([title, body]);
    }
  };
});

test("a page shows one note when one's turn begins", async () => {
  await beginTurn();
  assert.deepEqual(notes, [["Passerelles", "It is your turn."]]);
});

test("the service worker shows the note, where there is one: Android lets no page do it", async () => {
  globalThis.Notification = class {
    constructor() {
      throw new TypeError("Illegal constructor");
    }
  };
  browser.registration = { active: {}, showNotification: async (title, { data }) => notes.push([title, data]) };
  assert.match(await beginTurn(), /Your turn/);
  assert.deepEqual(notes, [["Passerelles", PATH]]);
});

test("a browser without notes shows the rest", async () => {
  delete globalThis.Notification;
  assert.match(await beginTurn(), /Your turn/);
});

/** Press a note while these pages are open; where that leads. */
async function press(...addresses) {
  const went = [];
  const pages = addresses.map((url) => ({ url, focus: async () => went.push(`to ${url}`) }));
  globalThis.clients = { matchAll: async () => pages, openWindow: async (path) => went.push(`open ${path}`) };
  const notification = { data: PATH, close: () => went.push("close") };
  await new Promise((resolve) => listeners.notificationclick({ notification, waitUntil: resolve }));
  return went;
}

test("a press on a note goes to the page of its table, and opens it if it was closed", async () => {
  assert.deepEqual(await press("https://here/", `https://here${PATH}?at=3`), ["close", `to https://here${PATH}?at=3`]);
  assert.deepEqual(await press("https://here/"), ["close", `open ${PATH}`]);
});

test("the service worker shows a push message, and a newer one about the same page replaces it", async () => {
  const shown = [];
  globalThis.registration = { showNotification: async (...note) => shown.push(note) };
  const message = { title: "Your turn: Nim", body: "With Ann", url: PATH, count: 1 };
  await new Promise((resolve) => listeners.push({ data: { json: () => message }, waitUntil: resolve }));
  const icon = "/static/icons/icon-192.png";
  assert.deepEqual(shown, [["Your turn: Nim", { body: "With Ann", data: PATH, tag: PATH, icon }]]);
});

test("a subscription that the browser has ended is made anew, and the server is told", async () => {
  const sent = [];
  const renewed = { toJSON: () => ({ endpoint: "https://push.example/2", keys: { p256dh: "k", auth: "a" } }) };
  globalThis.registration = { pushManager: { subscribe: async () => renewed } };
  globalThis.fetch = async (url, { body }) => sent.push([url, JSON.parse(body)]);
  const event = (oldSubscription) =>
    new Promise((resolve) => listeners.pushsubscriptionchange({ oldSubscription, waitUntil: resolve }));
  await event(null);
  assert.deepEqual(sent, []);
  await event({ options: {} });
  assert.deepEqual(sent, [["/api/push", { endpoint: "https://push.example/2", p256dh: "k", auth: "a" }]]);
});
