// @ts-check
// A link to give to someone: large, to be copied, shared or read by a camera.

import { button, make } from "./dom.js";
import { qrPicture } from "./qr.js";
import { attempt, toast } from "./toast.js";
import { _ } from "./translate.js";

/**
 * @param {string} url
 * @param {() => string} title what the link opens, for those it is shared with
 */
export function linkPanel(url, title) {
  const input = make("input", { class: "link-shown", readonly: true, value: url, "aria-label": _("Link") });
  input.addEventListener("focus", () => input.select());
  const copy = button(_("Copy"), () => copyLink(copy, input), { class: "main" });
  const share = "share" in navigator ? button(_("Share…"), () => attempt(() => shareLink(url, title()))) : null;
  return make(
    "div",
    { class: "link-panel" },
    make("div", { class: "link-row" }, input, copy, share),
    qrPicture(url, _("QR code of the link")),
  );
}

/**
 * @param {HTMLButtonElement} copy
 * @param {HTMLInputElement} input
 */
async function copyLink(copy, input) {
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    copy.textContent = _("Copied");
  } catch {
    toast(_("Your browser does not allow copying: copy the link by hand.")); // also without https
  }
}

/**
 * @param {string} url
 * @param {string} title
 */
async function shareLink(url, title) {
  try {
    await navigator.share({ title, text: title, url });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error; // the person changed their mind
  }
}
