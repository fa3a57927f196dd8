// @ts-check
// Playing on from a position against bots, at a table of one's own; where this table came from, and what branched off.

import { get } from "../../lib/api.js";
import { make, part } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { TERMINAL, tableUrl } from "../view.js";
import { askHow } from "./branch_dialog.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../wire").Branches} BranchList */

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
    this.#play.addEventListener("click", () => attempt(() => this.#playOn()));
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

  async #playOn() {
    const { line, ply } = this.timeline;
    if (this.#view) await askHow(this.#view, { ply, line: line?.viewAt(ply) ? line.decision : 0 });
  }
}

/** @param {NonNullable<BranchList["branched_from"]>} origin */
function fromText({ ply, url }) {
  const text = _("This game branched off another at move {ply}.", { ply });
  return make("p", {}, text, " ", make("a", { href: url }, _("Back to the original")));
}

/** @param {BranchList["branches"]} branches */
function branchList(branches) {
  const items = branches.map(({ url, from_ply, over }) => {
    const link = make("a", { href: url }, _("From move {ply}", { ply: from_ply }));
    return make("li", {}, link, " ", make("span", { class: "dim" }, over ? _("over") : _("running")));
  });
  return [make("h2", {}, _("Branches")), make("ul", { class: "branch-list" }, ...items)];
}
