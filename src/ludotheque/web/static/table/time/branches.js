// @ts-check
// Playing on from a position against bots, at a table of one's own; where this table came from, and what branched off.

import { get, post } from "../../lib/api.js";
import { openDialog } from "../../lib/dialog.js";
import { button, make, part } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { SPECTATOR, TERMINAL, tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../wire").Branches} BranchList */
/** @typedef {import("../../wire").LevelCard} Level */

export class Branches {
  #host = part("branches");
  #play = part("moment-play");
  #isOpen = false; // whether one may play on from here
  /** @type {View | null} */
  #view = null;

  /** @param {import("./timeline.js").Timeline} timeline */
  constructor(timeline) {
    this.timeline = timeline;
    timeline.on("at", () => this.#offer());
    this.#play.addEventListener("click", () => attempt(() => this.#askHow()));
  }

  /** @param {View} view */
  follow(view) {
    const isNew = this.#view?.over !== view.over;
    this.#view = view;
    this.#offer();
    if (isNew) attempt(() => this.#load(view));
  }

  #offer() {
    const { line, ply } = this.timeline;
    const isEnd = line ? line.viewAt(ply)?.to_move === TERMINAL : this.#view?.over && ply === this.#view.last_ply;
    this.#play.hidden = !this.#isOpen || Boolean(isEnd);
  }

  /** @param {View} view */
  async #load(view) {
    /** @type {BranchList} */
    const { open, branched_from: origin, branches } = await get(`${tableUrl(view.table)}/branches`);
    this.#isOpen = open;
    this.#offer();
    this.#host.hidden = !origin && branches.length === 0;
    this.#host.replaceChildren(
      ...(origin ? [fromText(origin)] : []),
      ...(branches.length > 0 ? branchList(branches) : []),
    );
  }

  /** Ask which seat is mine, and how well the others play. */
  async #askHow() {
    const view = this.#view;
    if (!view) return;
    const { line, ply } = this.timeline;
    const from = { ply, line: line?.viewAt(ply) ? line.decision : 0 };
    const seat = seatField(view);
    const level = levelField(await get("/api/levels"));
    const start = () => attempt(() => this.#start(view, { ...from, seat: Number(seat.value), level: level.value }));
    const dialog = openDialog(
      { "aria-labelledby": "branch-title" },
      make("h2", { id: "branch-title" }, _("Play from here")),
      make(
        "p",
        {},
        _("Opens a new table at this position, against bots and with new dice. This game does not change."),
      ),
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
   * @param {import("../../wire").Branch} wanted
   */
  async #start(view, wanted) {
    /** @type {import("../../wire").Opened} */
    const opened = await post(`${tableUrl(view.table)}/branch`, wanted);
    location.assign(opened.url);
  }
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

/** @param {NonNullable<BranchList["branched_from"]>} origin */
function fromText({ ply, url }) {
  const text = _("This game branched from position {ply} of another.", { ply });
  return make("p", {}, text, " ", make("a", { href: url }, _("Back to the original")));
}

/** @param {BranchList["branches"]} branches */
function branchList(branches) {
  const items = branches.map(({ url, from_ply, over }) => {
    const link = make("a", { href: url }, _("From position {ply}", { ply: from_ply }));
    return make("li", {}, link, " ", make("span", { class: "dim" }, over ? _("over") : _("running")));
  });
  return [make("h2", {}, _("Branches")), make("ul", { class: "branch-list" }, ...items)];
}
