// @ts-check
// The page of a tournament: join, withdraw, start, invite, decide a game. The server renders what changes.

import { post, request } from "./lib/api.js";
import { ask } from "./lib/dialog.js";
import { closest, make, part } from "./lib/dom.js";
import { bearer, keepSecret, keepSecretOfAddress, keptSecret } from "./lib/kept_secret.js";
import { showLink } from "./lib/link_dialog.js";
import { LivePart } from "./lib/live_part.js";
import { rememberedName, rememberName } from "./lib/my_name.js";
import { attempt, toast } from "./lib/toast.js";
import { _ } from "./lib/translate.js";

const host = part("tournament");
const id = host.dataset.id ?? "";
const path = `/api/tournaments/${id}`;
keepSecretOfAddress("tournament", id);
const headers = () => bearer(keptSecret("tournament", id));
const live = new LivePart(host, `/tournaments/${id}/live`, { headers, changed: fillIn });

/** Suggest a name, and show times as the reader's clock does. */
function fillIn() {
  const name = nameField();
  if (name && !name.value) name.value = rememberedName();
  const { lang } = document.documentElement;
  const dates = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of host.querySelectorAll("time")) time.textContent = dates.format(new Date(time.dateTime));
}

/** @returns {HTMLInputElement | null} */
function nameField() {
  return host.querySelector('input[name="name"]');
}

/**
 * @param {string} command
 * @param {object} [body]
 */
async function send(command, body = {}) {
  const answer = await request(`${path}/${command}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers() },
    body: JSON.stringify(body),
  });
  await live.refresh();
  return answer;
}

/** @type {Record<string, (button: HTMLElement) => Promise<unknown>>} */
const acts = { join, start: () => send("start"), invite, withdraw, delete: remove, forfeit, watch };

/** One who has no profile makes one with the name they give. */
async function join() {
  const name = nameField();
  if (name) {
    const given = name.value.trim();
    if (!given) return toast(_("Give yourself a name first."));
    await post("/api/profile", { name: given });
    rememberName(given);
  }
  return send("join");
}

async function invite() {
  if (!keptSecret("tournament", id)) {
    const sure = await ask(_("Invite"), make("p", {}, _("A new link is made; the one you gave before ends.")));
    if (!sure) return;
    /** @type {import("./wire").TournamentLink} */
    const link = await send("link");
    keepSecret("tournament", id, link.url.split("#")[1] ?? "");
  }
  showLink(`/tournaments/${id}#${keptSecret("tournament", id)}`, _("Everyone who has this link can join."));
}

async function withdraw() {
  const words = _("You are paired no more. A game under way goes on until it ends, or your time is up.");
  if (await ask(_("Withdraw"), make("p", {}, words))) await send("withdraw");
}

async function remove() {
  if (!(await ask(_("Delete"), make("p", {}, _("The tournament and its results are deleted for everyone."))))) return;
  await post(`${path}/delete`);
  location.assign("/tournaments");
}

/** @param {HTMLElement} button */
async function forfeit(button) {
  const { table, player, name = "" } = button.dataset;
  const words = _("{name} loses this game, and the table is closed.", { name });
  if (await ask(_("Forfeit"), make("p", {}, words))) {
    await send("forfeit", { table: Number(table), player: Number(player) });
  }
}

/** @param {HTMLElement} button */
async function watch(button) {
  const table = button.dataset.watched ?? "";
  await send("watch", { table });
  location.assign(`/t/${table}`);
}

host.addEventListener("click", (event) => {
  const button = closest(event, "[data-act]");
  const act = button instanceof HTMLElement && acts[button.dataset.act ?? ""];
  if (act) attempt(() => act(button));
});
if ("shown" in host.dataset) fillIn();
live.refresh();
