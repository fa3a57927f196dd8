// @ts-check
// Reports to the operator about a line of chat or a name: one press and a short confirmation.

import { post } from "./api.js";
import { ask } from "./dialog.js";
import { button, make } from "./dom.js";
import { attempt, toast } from "./toast.js";
import { _ } from "./translate.js";

/**
 * A small button beside what can be reported.
 * @param {string} label
 * @param {() => Promise<void>} report
 */
export function reportButton(label, report) {
  return button("⚑", () => attempt(report), { class: "quiet small report", "aria-label": label, title: label });
}

/**
 * Ask, then report a line of chat.
 * @param {string} url of the chat
 * @param {{id: number, name: string, text: string}} line as the page shows it
 */
export async function reportLine(url, { id, name, text }) {
  const said = make("p", { class: "reported" }, make("strong", {}, name), " ", text);
  if (await isSure(said)) await send(`${url}/report`, { line: id });
}

/**
 * Ask, then report a name; of several, ask which.
 * @param {string} url of the table, or of the person
 * @param {string[]} names
 */
export async function reportName(url, names) {
  const options = names.map((name) => make("option", {}, name));
  const chosen = make("select", { "aria-label": _("Name") }, ...options);
  const shown = names.length > 1 ? chosen : make("strong", {}, ...names);
  if (await isSure(make("p", { class: "reported" }, shown))) await send(`${url}/names/report`, { name: chosen.value });
}

/** @param {HTMLElement} what */
function isSure(what) {
  const note = make("p", { class: "dim" }, _("The operator sees the report, but not who sent it."));
  return ask(_("Report to the operator"), make("h2", {}, _("Report to the operator")), what, note);
}

/**
 * @param {string} path
 * @param {object} body
 */
async function send(path, body) {
  await post(path, body);
  toast(_("Thank you. The operator can read it now."));
}
