// @ts-check
// After the game: ask the others to play again with the same options, each one seat further; and whom the clock of a
// rematch waits for.

import { post } from "../../lib/api.js";
import { button, make, part, replaceContent } from "../../lib/dom.js";
import { attempt, callBack, toast } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { canCheck } from "../dice/commitment.js";
import { addToRematch } from "../dice/nonces.js";
import { hasSay, heldSeats, nameOf, tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {"" | "asked" | "waiting" | "refused"} Stage what becomes of a rematch, for this reader */

export class Rematch {
  #host = part("rematch");
  #request = part("rematch-request");
  #awaited = part("awaited");
  #isAdded = false;
  /** @type {Stage | null} null before the first view */
  #stage = null;

  /** @param {View} view */
  follow(view) {
    this.#showAwaited(view);
    const before = this.#stage;
    this.#stage = stageOf(view);
    const isOffered = view.over && hasSay(view);
    const isShown = (isOffered || view.rematch) && (this.#stage === "" || this.#stage === "refused");
    this.#host.hidden = !isShown;
    const go = make("a", { class: "button main", href: view.rematch, "data-key": "rematch" }, _("Go to the rematch"));
    const ask = button(_("Rematch"), () => this.#ask(view), {
      class: view.tournament ? "" : "main",
      "data-key": "rematch",
    });
    replaceContent(this.#host, ...(isShown ? [...wayBack(view), view.rematch ? go : ask] : []));
    this.#showRequest(view, this.#stage);
    if (before !== null && before !== this.#stage) this.#tell(view, this.#stage);
    if (view.rematch && view.mine.length > 0) this.#addToDice(view.rematch);
    if (view.rematch && before === "waiting") location.assign(view.rematch); // all have agreed
  }

  /**
   * @param {View} view
   * @param {Stage} stage
   */
  #showRequest(view, stage) {
    this.#request.hidden = stage === "";
    replaceContent(this.#request, make("p", {}, sentenceOf(view, stage)), ...this.#buttons(view, stage));
  }

  /**
   * @param {View} view
   * @param {Stage} stage
   */
  #buttons(view, stage) {
    const refuse = (/** @type {string} */ label) =>
      button(label, () => attempt(() => post(`${tableUrl(view.table)}/rematch/refuse`)), { class: "quiet" });
    if (stage === "asked") {
      const agree = button(_("Play again"), () => this.#ask(view), { class: "main", "data-key": "rematch" });
      return [agree, refuse(_("No, thanks"))];
    }
    if (stage !== "waiting") return [];
    const begin = button(_("Begin without waiting"), () => this.#ask(view, true), { "data-key": "rematch" });
    return [begin, refuse(_("Withdraw"))];
  }

  /**
   * Tell someone who looks elsewhere.
   * @param {View} view
   * @param {Stage} stage
   */
  #tell(view, stage) {
    const mine = heldSeats(view).map(({ seat }) => seat);
    const isMine = view.rematch_request?.refused.every((seat) => mine.includes(seat)); // I have just refused
    if (stage !== "asked" && !(stage === "refused" && !isMine)) return;
    const sentence = sentenceOf(view, stage);
    toast(sentence);
    callBack(sentence);
  }

  /** @param {View} view */
  #showAwaited(view) {
    const names = view.awaited.map((seat) => nameOf(view, seat)).join(", ");
    this.#awaited.hidden = view.over || !view.clock || names === "";
    this.#awaited.textContent = _("The clock waits until everyone is here. Still missing: {names}", { names });
  }

  /** @param {string} url of the rematch */
  #addToDice(url) {
    if (this.#isAdded) return;
    this.#isAdded = true;
    const wait = () => new Promise((/** @type {(value: void) => void} */ done) => setTimeout(done, 1000));
    attempt(() => addToRematch(url.slice("/t/".length), wait));
  }

  /**
   * @param {View} view
   * @param {boolean} [now] whether to begin before all have agreed
   */
  async #ask(view, now = false) {
    /** @type {import("../../wire").Link | null} */
    const link = await attempt(() => post(`${tableUrl(view.table)}/rematch`, { shared_dice: canCheck(), now }));
    if (link?.url) location.assign(link.url);
  }
}

/**
 * The link to the tournament that the table is for: its next round matters more than a rematch.
 * @param {View} view
 */
function wayBack({ tournament }) {
  const address = { class: "button main", href: `/tournaments/${tournament?.id}`, "data-key": "tournament" };
  return tournament ? [make("a", address, _("Go to the tournament"))] : [];
}

/**
 * @param {View} view
 * @returns {Stage}
 */
function stageOf(view) {
  const { over, rematch, rematch_request: request } = view;
  if (!over || rematch || !request || !hasSay(view)) return "";
  if (request.refused.length > 0) return "refused";
  return heldSeats(view).every(({ seat }) => request.agreed.includes(seat)) ? "waiting" : "asked";
}

/**
 * @param {View} view
 * @param {Stage} stage
 */
function sentenceOf(view, stage) {
  const { agreed = [], refused = [] } = view.rematch_request ?? {};
  const names = (/** @type {number[]} */ seats) => seats.map((seat) => nameOf(view, seat)).join(", ");
  if (stage === "asked") return _("{names}: a rematch?", { names: names(agreed) });
  if (stage === "refused") return _("No rematch for now: {names}", { names: names(refused) });
  const others = view.seats.filter(({ seat, who, taken }) => who === "person" && taken && !agreed.includes(seat));
  return stage ? _("Rematch: waiting for {names}", { names: others.map(({ name }) => name).join(", ") }) : "";
}
