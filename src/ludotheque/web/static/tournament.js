// @ts-check
// The page of a tournament: join, withdraw, start, invite, decide a game. The server renders what changes.

import "./preferences.js";
import { post } from "./lib/api.js";
import { countInTitle } from "./lib/count_in_title.js";
import { ask } from "./lib/dialog.js";
import { make, part } from "./lib/dom.js";
import { LinkedPage } from "./lib/linked_page.js";
import { dateAndTime } from "./lib/times.js";
import { _ } from "./lib/translate.js";

const host = part("tournament");
const acts = { start: () => tournament.send("start"), invite, withdraw, delete: remove, forfeit, watch };
const tournament = new LinkedPage("tournament", "/tournaments", acts, showTimes);

/** Show times as the reader's clock does. */
function showTimes() {
  for (const time of host.querySelectorAll("time")) time.textContent = dateAndTime(time.dateTime);
}

async function invite() {
  if (!tournament.secret) {
    const sure = await ask(_("Invite"), make("p", {}, _("This creates a new link; the old one stops working.")));
    if (!sure) return;
    await tournament.renewLink();
  }
  tournament.showLink(_("Everyone who has this link can join."));
}

async function withdraw() {
  const words = _("You will not be paired again. A game under way goes on until it ends or your time is up.");
  if (await ask(_("Withdraw from the tournament"), make("p", {}, words))) await tournament.send("withdraw");
}

async function remove() {
  if (!(await ask(_("Delete"), make("p", {}, _("The tournament and its results are deleted for everyone."))))) return;
  await post(`${tournament.path}/delete`);
  location.assign("/tournaments");
}

/** @param {HTMLElement} button */
async function forfeit(button) {
  const { table, player, name = "" } = button.dataset;
  const words = _("{name} loses this game, and the table is closed.", { name });
  if (await ask(_("Forfeit"), make("p", {}, words))) {
    await tournament.send("forfeit", { table: Number(table), player: Number(player) });
  }
}

/** @param {HTMLElement} button */
async function watch(button) {
  const table = button.dataset.watched ?? "";
  await tournament.send("watch", { table });
  location.assign(`/t/${table}`);
}

showTimes();
countInTitle();
