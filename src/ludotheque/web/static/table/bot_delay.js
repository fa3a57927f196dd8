// @ts-check
// How fast the bots move, and whether they pause, for those who may decide it.

import { post } from "../lib/api.js";
import { button, make, part } from "../lib/dom.js";
import { attempt } from "../lib/toast.js";
import { _ } from "../lib/translate.js";
import { hasSay, tableUrl } from "./view.js";

/** @typedef {import("./view.js").View} View */

const LONGEST = 3; // seconds

export class BotDelay {
  #host = part("pace");

  /** @param {View} view */
  show(view) {
    this.#host.hidden = view.over || !hasSay(view) || !view.seats.some((seat) => seat.who === "bot");
    if (this.#host.hidden || this.#host.contains(document.activeElement)) return;
    const { seconds, paused } = view.pace;
    const set = (/** @type {Partial<View["pace"]>} */ change) =>
      attempt(() => post(`${tableUrl(view.table)}/pace`, { seconds, paused, ...change }));
    const range = make("input", { type: "range", min: 0, max: LONGEST, step: 0.25, value: seconds });
    range.addEventListener("change", () => set({ seconds: Number(range.value) }));
    this.#host.replaceChildren(
      make("label", { class: "wide" }, make("span", {}, _("Bot delay")), range),
      button(paused ? _("Resume") : _("Pause"), () => set({ paused: !paused }), { class: "small" }),
    );
  }
}
