// @ts-check
// The page that a recovery link opens: takes over the seats, progress and settings of another browser.

import "./preferences.js";
import { post } from "./lib/api.js";
import { part } from "./lib/dom.js";
import { messageOf } from "./lib/toast.js";
import { _ } from "./lib/translate.js";

const secret = location.hash.slice(1);
const button = part("recover", HTMLButtonElement);
const report = part("recovered");
button.disabled = !secret;

button.addEventListener("click", async () => {
  button.disabled = true;
  report.hidden = false;
  try {
    /** @type {import("./wire").Recovered} */
    const { tables, stored } = await post("/api/recovery/use", { secret });
    for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value);
    history.replaceState(null, "", location.pathname);
    report.textContent = _("Done. Tables in this browser now: {tables}.", { tables });
  } catch (error) {
    report.textContent = messageOf(error);
    button.disabled = false;
  }
});
