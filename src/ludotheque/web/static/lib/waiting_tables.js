// @ts-check
// The tables that wait for this person: where it is their turn, the clock waits for them to come, or someone challenges
// them. Pages that are open in the background ask too, so that they can tell.
//
// Event: "change" (the tables).

import { get } from "./api.js";
import { Emitter } from "./emitter.js";
import { callBack, toast } from "./toast.js";
import { _ } from "./translate.js";

/** @typedef {import("../wire").Summary} Summary */

const SECONDS = 30;
const SECONDS_BETWEEN_ROUNDS = 5;

/** @extends {Emitter<{change: Summary[]}>} */
export class WaitingTables extends Emitter {
  #except;
  /** @type {Set<string> | null} the tables that call this person and are known; null before the first answer */
  #known = null;
  #timer = this.#askEvery(SECONDS);
  #isBetweenRounds = false;

  /** @param {string} [except] the table that is shown */
  constructor(except = "") {
    super();
    this.#except = except;
    document.addEventListener("visibilitychange", () => document.hidden || this.refresh());
  }

  /** Ask at once and more often: the next round of a tournament may begin, and its table waits for no more than ten
   * minutes. */
  awaitNextRound() {
    if (this.#isBetweenRounds) return;
    this.#isBetweenRounds = true;
    clearInterval(this.#timer);
    this.#timer = this.#askEvery(SECONDS_BETWEEN_ROUNDS);
    this.refresh();
  }

  /** @param {number} seconds */
  #askEvery(seconds) {
    return setInterval(() => this.refresh(), seconds * 1000);
  }

  /** Ask the server; while it cannot be reached, the last answer stays. */
  async refresh() {
    /** @type {Summary[] | null} */
    const mine = await get("/api/mine").catch(() => null);
    if (!mine) return;
    const waiting = mine.filter((table) => table.id !== this.#except && isWaiting(table));
    this.#announce(waiting.filter(({ challenger, awaited }) => challenger || awaited));
    this.emit("change", waiting);
  }

  /**
   * Tell of the tables that call this person since the page was opened.
   * @param {Summary[]} calling
   */
  #announce(calling) {
    const known = this.#known;
    this.#known = new Set(calling.map(({ id }) => id));
    for (const table of calling) {
      if (!known || known.has(table.id)) continue;
      const sentence = callOf(table);
      toast(sentence);
      callBack(sentence);
    }
  }
}

/** @param {Summary} table */
function isWaiting({ my_turn, awaited, challenger, over, closed }) {
  return Boolean(challenger || awaited) || (my_turn && !over && !closed);
}

/** @param {Summary} table */
function callOf({ challenger, tournament, title }) {
  if (challenger) return _("{name} challenges you: {game}", { name: challenger, game: title });
  if (!tournament) return _("The others wait for you: {game}", { game: title });
  return _("{tournament}: round {number} has begun", { tournament: tournament.title, number: tournament.round });
}
