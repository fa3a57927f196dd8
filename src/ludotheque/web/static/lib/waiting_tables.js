// @ts-check
// The tables that wait for this person: where it is their turn, or someone challenges them. Pages that are open in the
// background ask too, so that they can tell.
//
// Event: "change" (the tables, and the challenges that have come since the last answer).

import { get } from "./api.js";
import { Emitter } from "./emitter.js";
import { callBack, toast } from "./toast.js";
import { _ } from "./translate.js";

/** @typedef {import("../wire").Summary} Summary */

const SECONDS = 30;

/** @extends {Emitter<{change: Summary[]}>} */
export class WaitingTables extends Emitter {
  #except;
  /** @type {Set<string> | null} the tables of the challenges that are known; null before the first answer */
  #known = null;

  /** @param {string} [except] the table that is shown */
  constructor(except = "") {
    super();
    this.#except = except;
    setInterval(() => this.refresh(), SECONDS * 1000);
    document.addEventListener("visibilitychange", () => document.hidden || this.refresh());
  }

  /** Ask the server; while it cannot be reached, the last answer stays. */
  async refresh() {
    /** @type {Summary[] | null} */
    const mine = await get("/api/mine").catch(() => null);
    if (!mine) return;
    const waiting = mine.filter((table) => table.id !== this.#except && isWaiting(table));
    this.#announce(waiting.filter(({ challenger }) => challenger));
    this.emit("change", waiting);
  }

  /**
   * Tell of the challenges that have come since the page was opened.
   * @param {Summary[]} challenges
   */
  #announce(challenges) {
    const known = this.#known;
    this.#known = new Set(challenges.map(({ id }) => id));
    for (const { id, challenger = "", title } of challenges) {
      if (!known || known.has(id)) continue;
      const sentence = _("{name} challenges you: {game}", { name: challenger, game: title });
      toast(sentence);
      callBack(sentence);
    }
  }
}

/** @param {Summary} table */
function isWaiting({ my_turn, challenger, over, closed }) {
  return Boolean(challenger) || (my_turn && !over && !closed);
}
