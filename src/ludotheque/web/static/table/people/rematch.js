// @ts-check
// After the game: play again with the same people and options, each one seat further.

import { post } from "../../lib/api.js";
import { button, make, part, replaceContent } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { canCheck } from "../dice/commitment.js";
import { addToRematch } from "../dice/nonces.js";
import { hasSay, tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */

export class Rematch {
  #host = part("rematch");
  #isAdded = false;

  /** @param {View} view */
  follow(view) {
    const isOffered = view.over && hasSay(view);
    this.#host.hidden = !isOffered && !view.rematch;
    if (this.#host.hidden) return;
    const go = make("a", { class: "button main", href: view.rematch, "data-key": "rematch" }, _("Go to the rematch"));
    const ask = button(_("Rematch"), () => this.#ask(view), { class: "main", "data-key": "rematch" });
    replaceContent(this.#host, view.rematch ? go : ask);
    if (view.rematch && view.mine.length > 0) this.#addToDice(view.rematch);
  }

  /** @param {string} url of the rematch */
  #addToDice(url) {
    if (this.#isAdded) return;
    this.#isAdded = true;
    const wait = () => new Promise((/** @type {(value: void) => void} */ done) => setTimeout(done, 1000));
    attempt(() => addToRematch(url.slice("/t/".length), wait));
  }

  /** @param {View} view */
  async #ask(view) {
    /** @type {import("../../wire").Link | null} */
    const link = await attempt(() => post(`${tableUrl(view.table)}/rematch`, { shared_dice: canCheck() }));
    if (link) location.assign(link.url);
  }
}
