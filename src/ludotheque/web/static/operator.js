// @ts-check
// The page of the operator: all tables, tournaments and clubs, closing or deleting one, reports, the public list. The
// token stays in this tab.

import "./preferences.js";
import { request } from "./lib/api.js";
import { button, field, make, part } from "./lib/dom.js";
import { dateAndTime } from "./lib/times.js";
import { attempt } from "./lib/toast.js";
import { _ } from "./lib/translate.js";

/** @typedef {import("./wire").OperatorView} OperatorView */
/** @typedef {import("./wire").Summary} Summary */
/** @typedef {import("./wire").OperatorTournaments} OperatorTournaments */
/** @typedef {import("./wire").OperatorClubs} OperatorClubs */
/** @typedef {import("./wire").StoredReport} StoredReport */

const TOKEN = "operator";
const PAGE = 100;
const form = part("token", HTMLFormElement);
const publicList = part("public-list", HTMLInputElement);
const more = part("more");
const moreReports = part("more-reports");
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

/**
 * Show the rows of a table, or add them to those shown. On a phone a row is a card, and each cell has the heading of its
 * column; the roles say that it is a table all the same.
 * @param {string} name
 * @param {HTMLTableRowElement[]} rows
 * @param {number} [from]
 */
function fill(name, rows, from = 0) {
  const body = part(name, HTMLTableSectionElement);
  if (from) body.append(...rows);
  else body.replaceChildren(...rows);
  const headings = [...(body.closest("table")?.tHead?.rows[0]?.cells ?? [])].map(
    ({ textContent }) => textContent ?? "",
  );
  for (const row of rows) {
    row.setAttribute("role", "row");
    [...row.cells].forEach((cell, place) => {
      cell.setAttribute("role", cell.scope ? "rowheader" : "cell");
      cell.dataset.heading = headings[place] ?? "";
    });
  }
}

async function showAll() {
  await show(0);
  await showTournaments();
  await showClubs();
  await showReports();
}

/** @param {number} from */
async function show(from) {
  /** @type {OperatorView} */
  const view = await ask(`tables?offset=${from}`);
  offset = from + view.tables.length;
  part("all").hidden = false;
  form.hidden = true;
  publicList.checked = view.public_list;
  fill("tables", view.tables.map(row), from);
  more.hidden = view.tables.length < PAGE;
}

/** @param {Summary} table */
function row(table) {
  const state = table.closed ? _("closed") : table.over ? _("over") : _("Move {ply}", { ply: table.ply });
  const close = button(_("Close this table"), () => attempt(() => closeTable(table.id, line)), { class: "small" });
  const names = make("td", {}, table.names.join(", "));
  const updated = make("td", {}, dateAndTime(table.updated));
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
  fill("tournaments", view.tournaments.map(tournamentRow));
}

/** @param {OperatorTournaments["tournaments"][number]} tournament */
function tournamentRow(tournament) {
  const { id, title, players, round } = tournament;
  const states = { over: _("over"), open: _("open"), running: _("Round {number}", { number: round }) };
  const updated = dateAndTime(tournament.updated);
  return line(`tournaments/${id}`, [title, players, states[tournament.state], updated], showTournaments);
}

/** @returns {Promise<void>} */
async function showClubs() {
  /** @type {OperatorClubs} */
  const view = await ask("clubs");
  fill(
    "clubs",
    view.clubs.map(({ id, name, members }) => line(`clubs/${id}`, [name, members], showClubs)),
  );
}

/**
 * @param {number} [from]
 * @returns {Promise<void>}
 */
async function showReports(from = 0) {
  /** @type {StoredReport[]} */
  const found = await ask(`reports?offset=${from}`);
  fill("reports", found.map(reportRow), from);
  moreReports.hidden = found.length < PAGE;
}

/** @param {StoredReport} report */
function reportRow({ id, club, table, game, line, name, text, reporter, time }) {
  const where = table ? `${game} ${table}` : (reporter ?? "");
  const when = dateAndTime(time);
  const about = club ? _("Club") : line ? _("Message") : _("Name");
  const removal = club ? _("Delete the club") : line ? _("Remove and mute") : _("Replace the name");
  const act = (/** @type {string} */ label, /** @type {string} */ path) =>
    button(label, () => attempt(() => ask(path, {}).then(showAll)), { class: "small" });
  const acts = [act(_("Dismiss"), `reports/${id}/delete`), act(removal, `reports/${id}/remove`)];
  if (table) acts.push(act(_("Close this table"), `tables/${table}/close`));
  const cells = [[name], [text], [where], [when], acts].map((cell) => make("td", { class: "words" }, ...cell));
  return make("tr", { "data-report": id }, make("th", { scope: "row" }, about), ...cells);
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
  attempt(showAll);
});
publicList.addEventListener("change", () => attempt(() => ask("settings", { public_list: publicList.checked })));
more.addEventListener("click", () => attempt(() => show(offset)));
moreReports.addEventListener("click", () => attempt(() => showReports(part("reports").children.length)));
if (sessionStorage.getItem(TOKEN)) attempt(showAll);
