// @ts-check
// The button that leads to the next table that waits for this person, and how many there are.
//
// Event: "count" (of the other tables that wait).

import { get } from "../../lib/api.js";
import { make, part } from "../../lib/dom.js";
import { Emitter } from "../../lib/emitter.js";
import { _ } from "../../lib/translate.js";

const SECONDS = 30;

/** @extends {Emitter<{count: number}>} */
export class NextTable extends Emitter {
  #button = part("next-table", HTMLButtonElement);
  #table;
  #url = "";

  /** @param {string} table the one that is shown */
  constructor(table) {
    super();
    this.#table = table;
    this.#button.addEventListener("click", () => location.assign(this.#url));
    setInterval(() => this.#refresh(), SECONDS * 1000);
    document.addEventListener("visibilitychange", () => document.hidden || this.#refresh());
    this.#refresh();
  }

  /** Ask the server; while it cannot be reached, the last answer stays. */
  async #refresh() {
    /** @type {import("../../wire").Summary[] | null} */
    const mine = await get("/api/mine").catch(() => null);
    if (!mine) return;
    const waiting = mine.filter(({ id, my_turn, over, closed }) => id !== this.#table && my_turn && !over && !closed);
    this.#url = waiting[0]?.url ?? "";
    this.#button.hidden = waiting.length === 0;
    const words = make("span", { class: "words" }, _("Next table")); // a phone has no room for them
    this.#button.replaceChildren(words, ` (${waiting.length})`);
    this.emit("count", waiting.length);
  }
}
