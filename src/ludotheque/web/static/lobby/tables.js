// @ts-check
// The tables in the lobby: one's own and the open ones. The server renders them anew every few seconds.

import { post } from "../lib/api.js";
import { closest, part } from "../lib/dom.js";
import { LivePart } from "../lib/live_part.js";
import { rememberedName } from "../lib/my_name.js";
import { reportName } from "../lib/report.js";
import { attempt } from "../lib/toast.js";
import { keepNonce, newNonce } from "../table/dice/nonces.js";

export class Tables {
  #host = part("tables");
  #live = new LivePart(this.#host, "/lobby/tables", { changed: () => this.#applyFilters() });
  /** @type {Record<string, string>} what is chosen, by the name of the filter; empty: all */
  #filters = {};

  constructor() {
    this.#host.addEventListener("click", (event) => this.#join(event));
    this.#host.addEventListener("click", (event) => this.#answer(event));
    this.#host.addEventListener("click", (event) => this.#report(event));
    this.#host.addEventListener("change", (event) => this.#choose(event));
  }

  /** @param {Event} event */
  #choose(event) {
    if (!(event.target instanceof HTMLSelectElement)) return;
    this.#filters[event.target.name] = event.target.value;
    this.#applyFilters();
  }

  #applyFilters() {
    for (const [name, value] of Object.entries(this.#filters)) {
      const select = this.#host.querySelector(`select[name="${name}"]`);
      if (select instanceof HTMLSelectElement) select.value = value;
    }
    /** @type {NodeListOf<HTMLElement>} */
    const rows = this.#host.querySelectorAll("[data-open-table]");
    for (const row of rows) {
      row.hidden = Object.entries(this.#filters).some(([name, value]) => value && row.dataset[name] !== value);
    }
  }

  /**
   * Take a seat at an open table; without a name, or where it needs a password or a profile, the table asks.
   * @param {Event} event
   */
  async #join(event) {
    const button = closest(event, "[data-join]");
    if (!(button instanceof HTMLButtonElement)) return;
    const { join = "", seat = "0", asks } = button.dataset;
    const name = rememberedName();
    if (asks !== undefined || !name) return location.assign(`/t/${join}`);
    button.disabled = true;
    const added = await newNonce();
    const body = { seat: Number(seat), name, commitment: added?.commitment ?? "" };
    const taken = await attempt(() => post(`/api/tables/${join}/sit`, body));
    button.disabled = false;
    if (!taken) return this.#live.refresh();
    if (added) keepNonce(join, added);
    location.assign(`/t/${join}`);
  }

  /**
   * Report the name of someone at an open table.
   * @param {Event} event
   */
  #report(event) {
    const button = closest(event, "[data-report]");
    if (!button) return;
    const { report, names = "[]" } = button.dataset;
    attempt(() => reportName(`/api/tables/${report}`, JSON.parse(names)));
  }

  /**
   * Accept a challenge, or decline it.
   * @param {Event} event
   */
  async #answer(event) {
    const button = closest(event, "[data-accept], [data-decline]");
    if (!(button instanceof HTMLButtonElement)) return;
    const { accept, decline = "" } = button.dataset;
    button.disabled = true;
    const taken = await attempt(() => (accept ? acceptChallenge(accept) : declineChallenge(decline)));
    button.disabled = false;
    if (accept && taken) location.assign(`/t/${accept}`);
    else this.#live.refresh();
  }
}

/** @param {string} table */
async function acceptChallenge(table) {
  const added = await newNonce();
  await post(`/api/challenges/${table}/accept`, { commitment: added?.commitment ?? "" });
  if (added) keepNonce(table, added);
  return true;
}

/** @param {string} table */
async function declineChallenge(table) {
  await post(`/api/challenges/${table}/decline`);
  return true;
}
