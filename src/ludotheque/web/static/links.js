// A link to give to somebody: copied if the browser lets us, and shown in any case.

import { make } from "./dom.js";
import { _ } from "./words.js";

/** Show a link with a sentence about what it opens. */
export async function showLink(path, sentence) {
  const url = new URL(path, location.origin).href;
  const copied = await navigator.clipboard?.writeText(url).then(
    () => true,
    () => false,
  );
  const input = make("input", { readonly: true, value: url, "aria-label": _("The link") });
  const dialog = make(
    "dialog",
    { class: "setup" },
    make("p", {}, sentence),
    input,
    copied ? make("p", { class: "dim" }, _("The link has been copied.")) : null,
    make("form", { method: "dialog", class: "row end" }, make("button", { class: "main" }, _("Close"))),
  );
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  input.select();
}
