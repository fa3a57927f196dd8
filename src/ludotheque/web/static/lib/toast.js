// @ts-check
// Short messages at the edge of the page, notes of the browser for people who look elsewhere, and what to do when
// something fails.

import { make, part } from "./dom.js";

const SECONDS = 6;
const NOTES = "notify"; // whether this person wants notes

/**
 * Show a sentence for a few seconds.
 * @param {string} sentence
 */
export function toast(sentence) {
  const host = toastHost();
  for (const shown of host.children) if (shown.textContent === sentence) shown.remove();
  const note = make("p", { class: "toast" }, sentence);
  host.append(note);
  setTimeout(() => note.remove(), SECONDS * 1000);
}

/** The place for messages: a modal dialog covers the rest of the page, so those that come meanwhile go into it. */
function toastHost() {
  const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
  if (!dialog) return part("toasts");
  return dialog.querySelector(".toasts") ?? dialog.appendChild(make("div", { class: "toasts", role: "status" }));
}

export function wantsNotes() {
  return localStorage.getItem(NOTES) === "on";
}

/**
 * Remember whether this person wants notes; return whether they get them: the browser may refuse.
 * @param {boolean} wants
 */
export async function chooseNotes(wants) {
  const gets = wants && (await globalThis.Notification?.requestPermission()) === "granted";
  localStorage.setItem(NOTES, gets ? "on" : "off");
  return gets;
}

/**
 * Show a note to a person who looks elsewhere, if they have chosen so.
 * @param {string} sentence
 * @param {string} [title]
 */
export function callBack(sentence, title = document.title) {
  if (!wantsNotes() || !document.hidden) return;
  showNote(title, sentence).catch((error) => console.warn(error)); // a browser may refuse notes, or have none
}

/**
 * Show a note about this page; Chrome for Android shows only those of a service worker.
 * @param {string} title
 * @param {string} body
 */
async function showNote(title, body) {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration?.active) await registration.showNotification(title, { body, data: location.pathname });
  else new Notification(title, { body });
}

/** @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Do something; if it fails, show why and return null.
 * @template Result
 * @param {() => Promise<Result> | Result} work
 * @returns {Promise<Result | null>}
 */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    toast(messageOf(error));
    return null;
  }
}
