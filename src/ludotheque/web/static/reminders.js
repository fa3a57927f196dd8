// @ts-check
// The page that the links in messages open: confirm an address, or end the reminders.

import "./preferences.js";
import { post } from "./lib/api.js";
import { part } from "./lib/dom.js";
import { messageOf } from "./lib/toast.js";
import { _ } from "./lib/translate.js";

const report = part("report");
const token = location.hash.slice(1);
const { stop, all } = part("reminders").dataset;
const endsAll = all !== undefined;

/**
 * The address keeps its secret until this has worked, so that it can be tried again.
 * @param {() => Promise<string>} work returns what to report
 */
async function carryOut(work) {
  try {
    report.textContent = await work();
    history.replaceState(null, "", location.pathname);
    return true;
  } catch (error) {
    report.textContent = messageOf(error);
    return false;
  }
}

async function end() {
  await post(`/reminders/stop?token=${encodeURIComponent(stop ?? "")}${endsAll ? "&all=true" : ""}`);
  return endsAll
    ? _("You will get no more reminders. Your address has been deleted.")
    : _("You will get no more reminders for this table. Your address has been deleted.");
}

async function confirm() {
  /** @type {import("./wire").Confirmed} */
  const { url } = await post("/api/reminders/confirm", { token });
  const onwards = part("onwards", HTMLAnchorElement);
  onwards.href = url;
  onwards.textContent = _("Go to the table");
  return _("Confirmed. You will be reminded of your turns.");
}

if (stop) carryOut(end);
else {
  const button = part("confirm", HTMLButtonElement);
  button.disabled = !token;
  button.addEventListener("click", async () => {
    button.disabled = true;
    button.disabled = await carryOut(confirm);
  });
}
