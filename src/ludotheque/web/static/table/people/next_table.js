// @ts-check
// The button that leads to the next table that waits for this person, and how many there are.
//
// Event: "count" (of the other tables that wait).

import { make, part } from "../../lib/dom.js";
import { Emitter } from "../../lib/emitter.js";
import { _ } from "../../lib/translate.js";
import { WaitingTables } from "../../lib/waiting_tables.js";

/** @extends {Emitter<{count: number}>} */
export class NextTable extends Emitter {
  #button = part("next-table", HTMLButtonElement);
  url = ""; // of the next table; empty for none
  #tables;

  /** @param {string} table the one that is shown */
  constructor(table) {
    super();
    this.#button.addEventListener("click", () => location.assign(this.url));
    this.#tables = new WaitingTables(table);
    this.#tables.on("change", (waiting) => this.#show(waiting));
    this.#tables.refresh();
  }

  /** @param {Pick<import("../view.js").View, "over" | "tournament">} view */
  follow({ over, tournament }) {
    if (over && tournament) this.#tables.awaitNextRound();
  }

  /** @param {import("../../wire").Summary[]} waiting */
  #show(waiting) {
    this.url = waiting[0]?.url ?? "";
    this.#button.hidden = waiting.length === 0;
    const words = make("span", { class: "words" }, _("Next table")); // a phone has no room for them
    this.#button.replaceChildren(words, ` (${waiting.length})`);
    this.emit("count", waiting.length);
  }
}
