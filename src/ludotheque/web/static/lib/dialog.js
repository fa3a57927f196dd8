// @ts-check
// Dialogs that a script makes for one question.

import { button, make } from "./dom.js";
import { _ } from "./translate.js";

/**
 * Open a modal dialog; it is removed when it closes.
 * @param {Record<string, any>} attributes
 * @param {...(Node | string | null)} children
 */
export function openDialog(attributes, ...children) {
  const dialog = make("dialog", { class: "setup", ...attributes }, ...children);
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  return dialog;
}

/**
 * Ask something in a dialog with "Cancel" and "OK".
 * @param {string} label the name of the dialog
 * @param {...(Node | string)} fields
 * @returns {Promise<boolean>} whether the answer was "OK"
 */
export function ask(label, ...fields) {
  // No submit button: Enter in a field presses the first one of the form, which has to be "OK".
  const cancel = button(_("Cancel"), () => dialog.close(), { class: "quiet" });
  const ok = make("button", { class: "main", value: "yes" }, _("OK"));
  const form = make("form", { method: "dialog" }, ...fields, make("div", { class: "row end" }, cancel, ok));
  const dialog = openDialog({ "aria-label": label }, form);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"));
  });
}
