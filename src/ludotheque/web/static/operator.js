// @ts-check
// The page of the operator: all tables, tournaments and clubs, closing or deleting one, reports, the public list. The token stays in this tab.

import "./preferences.js";
import { request } from "./lib/api.js";
import { button, field, make, part } from "./lib/dom.js";
import { attempt } from "./lib/toast.js";
import { _ } from "./lib/translate.js";

/** @typedef {import("./wire").OperatorView} OperatorView */
/** @typedef {import("./wire").Summary} Summary */
/** @typedef {import("./wire").OperatorTournaments} OperatorTournaments */
/** @typedef {import("./wire").OperatorClubs} OperatorClubs */

const TOKEN = "operator";
const PAGE = 100;
const form = part("token", HTMLFormElement);
const list = part("tables");
const publicList = part("public-list", HTMLInputElement);
const more = part("more");
let offset = 0;

/**
 * @param {string} path
 * @param {object} [body] sent, if given
 * @returns {Promise<any>}
 */
function ask(path, body) {
  const headers = {
    Authorization: `Bearer ${sessionStorage.getItem(TOKEN) ?? ""}`,
    "Content-Type": "application/json",
  };
  return request(`/api/operator/${path}`, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
}

/** @param {number} from */
async function show(from) {
  /** @type {OperatorView} */
  const view = await ask(`tables?offset=${from}`);
  offset = from + view.tables.length;
  part("all").hidden = false;
  form.hidden = true;
  publicList.checked = view.public_list;
  list.append(...view.tables.map(row));
  more.hidden = view.tables.length < PAGE;
}

/** @param {Summary} table */
function row(table) {
  const state = table.closed ? _("closed") : table.over ? _("over") : _("Move {ply}", { ply: table.ply });
  const close = button(_("Close this table"), () => attempt(() => closeTable(table.id, line)), { class: "small" });
  const names = make("td", {}, table.names.join(", "));
  const updated = make("td", {}, new Date(table.updated).toLocaleString(document.documentElement.lang));
  const line = make(
    "tr",
    { "data-table": table.id },
    make("th", { scope: "row" }, table.title),
    names,
    make("td", { class: "state" }, state),
    updated,
    make("td", {}, table.closed ? "" : close),
  );
  return line;
}

/**
 * @param {string} id
 * @param {HTMLElement} line
 */
async function closeTable(id, line) {
  await ask(`tables/${id}/close`, {});
  line.querySelector("button")?.remove();
  const state = line.querySelector(".state");
  if (state) state.textContent = _("closed");
}

/** @returns {Promise<void>} */
async function showTournaments() {
  /** @type {OperatorTournaments} */
  const view = await ask("tournaments");
  part("tournaments").replaceChildren(...view.tournaments.map(tournamentRow));
}

/** @param {OperatorTournaments["tournaments"][number]} tournament */
function tournamentRow(tournament) {
  const { id, title, players, round } = tournament;
  const states = { over: _("over"), open: _("open"), running: _("Round {number}", { number: round }) };
  const updated = new Date(tournament.updated).toLocaleString(document.documentElement.lang);
  return line(`tournaments/${id}`, [title, players, states[tournament.state], updated], showTournaments);
}

/** @returns {Promise<void>} */
async function showClubs() {
  /** @type {OperatorClubs} */
  const view = await ask("clubs");
  part("clubs").replaceChildren(
    ...view.clubs.map(({ id, name, members }) => line(`clubs/${id}`, [name, members], showClubs)),
  );
  part("reports").replaceChildren(
    ...view.reports.map((each) => line(`reports/${each.id}`, [each.club_name, each.name, each.text], showClubs)),
  );
}

/**
 * A line of a table with a button that deletes what it is about.
 * @param {string} path
 * @param {(string | number)[]} cells
 * @param {() => Promise<void>} after
 */
function line(path, cells, after) {
  const remove = button(_("Delete"), () => attempt(() => ask(`${path}/delete`, {}).then(after)), { class: "small" });
  const [first = "", ...rest] = cells;
  const shown = rest.map((cell) => make("td", {}, cell));
  return make("tr", {}, make("th", { scope: "row" }, first), ...shown, make("td", {}, remove));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN, field(form, "token").value.trim());
  attempt(() => show(0).then(showTournaments).then(showClubs));
});
publicList.addEventListener("change", () => attempt(() => ask("settings", { public_list: publicList.checked })));
more.addEventListener("click", () => attempt(() => show(offset)));
if (sessionStorage.getItem(TOKEN)) attempt(() => show(0).then(showTournaments).then(showClubs));
