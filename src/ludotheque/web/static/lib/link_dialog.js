// @ts-check
// The dialog that shows a link to give to someone.

import { openDialog } from "./dialog.js";
import { make } from "./dom.js";
import { linkPanel } from "./link_panel.js";
import { _ } from "./translate.js";

/**
 * Show a link with a sentence about what it opens.
 * @param {string} path
 * @param {string} sentence
 */
export function showLink(path, sentence) {
  const url = new URL(path, location.origin).href;
  openDialog(
    { "aria-label": _("Link") },
    make("p", {}, sentence),
    linkPanel(url, () => document.title),
    make("form", { method: "dialog", class: "row end" }, make("button", { class: "main" }, _("Close"))),
  );
}
