// @ts-check
// A link to give to somebody: copied if the browser allows it, and shown in any case.

import { openDialog } from "./dialog.js";
import { make } from "./dom.js";
import { _ } from "./translate.js";

/**
 * Show a link with a sentence about what it opens.
 * @param {string} path
 * @param {string} sentence
 */
export async function showLink(path, sentence) {
  const url = new URL(path, location.origin).href;
  const isCopied = await navigator.clipboard?.writeText(url).then(
    () => true,
    () => false,
  );
  const input = make("input", { readonly: true, value: url, "aria-label": _("Link") });
  openDialog(
    { "aria-label": _("Link") },
    make("p", {}, sentence),
    input,
    isCopied ? make("p", { class: "dim" }, _("The link has been copied.")) : null,
    make("form", { method: "dialog", class: "row end" }, make("button", { class: "main" }, _("Close"))),
  );
  input.select();
}
