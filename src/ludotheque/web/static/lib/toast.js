// @ts-check
// Short messages at the edge of the page, and what to do when something fails.

import { make, part } from "./dom.js";

const SECONDS = 6;

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

/** Where messages go: a modal dialog covers the rest of the page, so those that come meanwhile go into it. */
function toastHost() {
  const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
  if (!dialog) return part("toasts");
  return dialog.querySelector(".toasts") ?? dialog.appendChild(make("div", { class: "toasts", role: "status" }));
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
