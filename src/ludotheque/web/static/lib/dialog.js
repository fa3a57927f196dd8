// @ts-check
// Dialogs that a script makes for one question.

import { make } from "./dom.js";

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
