// @ts-check
// The question how to play on from a position against bots.

import { get, post } from "../../lib/api.js";
import { openDialog } from "../../lib/dialog.js";
import { button, make } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { SPECTATOR, tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../wire").Branch} Branch */
/** @typedef {import("../../wire").LevelCard} Level */

/**
 * Ask which seat is mine, and how well the others play; then open the table.
 * @param {View} view
 * @param {Pick<Branch, "ply" | "line">} from the position
 */
export async function askHow(view, from) {
  const seat = seatField(view);
  const level = levelField(await get(`/api/levels?table=${view.table}`));
  const start = () => attempt(() => openBranch(view, { ...from, seat: Number(seat.value), level: level.value }));
  const dialog = openDialog(
    { "aria-labelledby": "branch-title" },
    make("h2", { id: "branch-title" }, _("Play from here")),
    make("p", {}, _("Opens a new table at this position, against bots and with new dice. This game does not change.")),
    make("label", { class: "line" }, make("span", {}, _("Play as")), seat),
    make("label", { class: "line" }, make("span", {}, _("Opponents")), level),
    make(
      "div",
      { class: "row end" },
      button(_("Cancel"), () => dialog.close(), { class: "quiet" }),
      button(_("Start"), start, { class: "main" }),
    ),
  );
}

/**
 * @param {View} view
 * @param {Branch} wanted
 */
async function openBranch(view, wanted) {
  /** @type {import("../../wire").Opened} */
  const opened = await post(`${tableUrl(view.table)}/branch`, wanted);
  location.assign(opened.url);
}

/** @param {View} view */
function seatField(view) {
  const mine = view.mine[0] ?? 0;
  const seats = view.seats.map(({ seat, name }) => make("option", { value: seat, selected: seat === mine }, name));
  return make("select", {}, ...seats, make("option", { value: SPECTATOR }, _("None: watch the bots")));
}

/** @param {Level[]} levels */
function levelField(levels) {
  const middle = Math.floor(levels.length / 2);
  const options = levels.map(({ level, name }, place) =>
    make("option", { value: level, selected: place === middle }, name),
  );
  return make("select", {}, ...options);
}
