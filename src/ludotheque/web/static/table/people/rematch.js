// @ts-check
// After the game: ask the others to play again with the same options, each one seat further, and tell everyone at the
// table what becomes of it. At the rematch: who begins, and whom the clock waits for.

import { post } from "../../lib/api.js";
import { button, make, part, replaceContent } from "../../lib/dom.js";
import { attempt, callBack, toast } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { canCheck } from "../dice/commitment.js";
import { addToRematch } from "../dice/nonces.js";
import { hasSay, heldSeats, isMyTurn, nameOf, tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {"" | "asked" | "waiting" | "watched" | "refused" | "open"} Stage what becomes of a rematch, for this reader */

export class Rematch {
  #host = part("rematch");
  #request = part("rematch-request");
  #awaited = part("awaited");
  #isAdded = false;
  /** @type {Stage | null} null before the first view */
  #stage = null;
  #nextTable;

  /** @param {() => string} nextTable the address of the next table that waits for this person; empty for none */
  constructor(nextTable) {
    this.#nextTable = nextTable;
  }

  /** @param {View} view */
  follow(view) {
    this.#showAwaited(view);
    const before = this.#stage;
    this.#stage = stageOf(view);
    this.#showTools(view, this.#stage);
    this.#showRequest(view, this.#stage);
    if (view.rematch && view.mine.length > 0) this.#addToDice(view.rematch);
    if (view.rematch && before === "waiting")
      location.assign(view.rematch); // all have agreed
    else if (before !== null && before !== this.#stage) this.#tell(view, this.#stage);
  }

  /**
   * @param {View} view
   * @param {Stage} stage
   */
  #showTools(view, stage) {
    const canAsk = view.over && hasSay(view) && (stage === "" || stage === "refused");
    const isShown = canAsk || stage === "open";
    const words = heldSeats(view).length > 0 ? _("Go to the rematch") : _("Watch the rematch");
    const go = make("a", { class: "button main", href: view.rematch, "data-key": "rematch" }, words);
    const ask = button(_("Rematch"), () => this.#ask(view), {
      class: view.tournament ? "" : "main",
      "data-key": "rematch",
    });
    this.#host.hidden = !isShown;
    replaceContent(this.#host, ...(isShown ? [...wayBack(view), view.rematch ? go : ask] : []));
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
    if (stage === "refused") return this.#waysOn();
    if (stage !== "waiting") return [];
    const begin = button(_("Begin without waiting"), () => this.#ask(view, true), { "data-key": "rematch" });
    return [begin, refuse(_("Withdraw"))];
  }

  /** Where to go when there is no rematch. */
  #waysOn() {
    const next = this.#nextTable();
    return [
      ...(next ? [make("a", { class: "button", href: next, "data-key": "next" }, _("Next table"))] : []),
      button(_("Review"), goToReview, { class: "quiet", "data-key": "review" }),
      make("a", { class: "button quiet", href: "/", "data-key": "lobby" }, _("Back to lobby")),
    ];
  }

  /**
   * Tell someone who looks elsewhere, unless they have done it themselves.
   * @param {View} view
   * @param {Stage} stage
   */
  #tell(view, stage) {
    const isNews = stage === "asked" || stage === "watched" || stage === "open";
    if (!isNews && (stage !== "refused" || hasRefused(view))) return;
    const sentence = sentenceOf(view, stage);
    toast(sentence);
    callBack(sentence);
  }

  /** @param {View} view */
  #showAwaited(view) {
    const sentences = view.over || view.closed ? [] : [beginsText(view), awaitedText(view)].filter(Boolean);
    this.#awaited.hidden = sentences.length === 0;
    this.#awaited.textContent = sentences.join(" ");
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

/** Bring what tells of mistakes, or the form of the review, into view. */
function goToReview() {
  const target = part("own-mistakes").querySelector("a") ?? part("review-go");
  target.scrollIntoView({ block: "center" });
  target.focus();
}

/** @param {View} view */
function beginsText(view) {
  if (!view.begins_rematch || view.to_move < 0) return "";
  if (isMyTurn(view) && view.mine.length === 1) return _("A rematch: you begin.");
  return _("A rematch: {name} begins.", { name: nameOf(view, view.to_move) });
}

/** @param {View} view */
function awaitedText(view) {
  const names = view.awaited.map((seat) => nameOf(view, seat)).join(", ");
  if (!view.clock || !names) return "";
  return _("The clock waits until everyone is here. Still missing: {names}", { names });
}

/**
 * @param {View} view
 * @returns {Stage}
 */
function stageOf(view) {
  const { over, rematch, rematch_request: request } = view;
  if (over && rematch) return "open";
  if (!over || !request) return "";
  if (request.refused.length > 0) return "refused";
  if (!hasSay(view)) return "watched";
  return heldSeats(view).every(({ seat }) => request.agreed.includes(seat)) ? "waiting" : "asked";
}

/**
 * Whether all who refused sit at this screen.
 * @param {View} view
 */
function hasRefused(view) {
  const mine = heldSeats(view).map(({ seat }) => seat);
  return (view.rematch_request?.refused ?? []).every((seat) => mine.includes(seat));
}

/**
 * @param {View} view
 * @param {Stage} stage
 */
function sentenceOf(view, stage) {
  const { agreed = [], refused = [] } = view.rematch_request ?? {};
  const names = (/** @type {number[]} */ seats) => seats.map((seat) => nameOf(view, seat)).join(", ");
  const others = view.seats.filter(({ seat, who, taken }) => who === "person" && taken && !agreed.includes(seat));
  const missing = others.map(({ name }) => name).join(", ");
  if (stage === "asked") return _("{names}: a rematch?", { names: names(agreed) });
  if (stage === "waiting") return _("Rematch: waiting for {names}", { names: missing });
  if (stage === "watched")
    return _("{names}: a rematch? Waiting for {others}", { names: names(agreed), others: missing });
  if (stage === "refused")
    return hasRefused(view)
      ? _("You declined the rematch.")
      : _("No rematch for now: {names}", { names: names(refused) });
  return stage === "open" ? _("The rematch has begun. {name} asked for it.", { name: names(agreed.slice(0, 1)) }) : "";
}
