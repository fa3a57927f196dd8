// @ts-check
// The page of a table that cannot be played here: forgets the table.

import "./preferences.js";
import { post } from "./lib/api.js";
import { ask } from "./lib/dialog.js";
import { make, part } from "./lib/dom.js";
import { attempt } from "./lib/toast.js";
import { _ } from "./lib/translate.js";
import { tableUrl } from "./table/view.js";

const button = part("forget");

button.addEventListener("click", async () => {
  const question = _("Forget this table? It leaves your list, and you lose your seat.");
  if (!(await ask(button.textContent ?? "", make("p", {}, question)))) return;
  const done = await attempt(() => post(`${tableUrl(button.dataset.table ?? "")}/leave`));
  if (done) location.assign("/");
});
