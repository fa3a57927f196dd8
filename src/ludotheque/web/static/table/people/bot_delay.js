// @ts-check
// The speed of the bots, and whether they pause, for those who may decide it.

import { post } from "../../lib/api.js";
import { button, make, part } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { hasSay, tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */

const LONGEST = 3; // seconds

export class BotDelay {
  #host = part("pace");
  #range = make("input", { type: "range", min: 0, max: LONGEST, step: 0.25 });
  #pause = button("", () => this.#send({ ...this.#pace, paused: !this.#pace.paused }), { class: "small" });
  #url = "";
  #pace = { seconds: 0, paused: false };

  constructor() {
    this.#range.addEventListener("change", () => this.#setDelay());
    this.#host.append(make("label", { class: "wide" }, make("span", {}, _("Bot delay")), this.#range), this.#pause);
  }

  /** @param {View} view */
  follow(view) {
    this.#url = `${tableUrl(view.table)}/pace`;
    this.#pace = view.pace;
    this.#host.hidden = view.over || !hasSay(view) || !view.seats.some((seat) => seat.who === "bot");
    if (document.activeElement !== this.#range) this.#range.value = String(view.pace.seconds); // else it may be moving
    this.#pause.hidden = view.rated || view.tournament !== null; // a game that counts goes on
    this.#pause.textContent = view.pace.paused ? _("Resume") : _("Pause");
  }

  #setDelay() {
    this.#pace = { ...this.#pace, seconds: Number(this.#range.value) }; // "Pause" may be pressed before the answer
    this.#send(this.#pace);
  }

  /** @param {View["pace"]} pace */
  #send(pace) {
    return attempt(() => post(this.#url, pace));
  }
}
