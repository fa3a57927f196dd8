// @ts-check
// Asks whether the game is to end without a winner, and tells what the others answer.

import { post } from "../../lib/api.js";
import { button, make, part, replaceContent } from "../../lib/dom.js";
import { attempt, callBack, toast } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { heldSeats, nameOf, tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {"" | "asked" | "waiting" | "refused"} Stage what becomes of an offer, for this reader */

export class EndOffer {
  #notice = part("end-offer");
  #spoken = part("spoken");
  /** @type {Stage} */
  #stage = "";

  /** @param {View} view */
  follow(view) {
    const [before, stage] = [this.#stage, stageOf(view)];
    this.#stage = stage;
    const sentence = sentenceOf(view, stage);
    this.#notice.hidden = stage === "";
    replaceContent(this.#notice, make("p", {}, sentence), ...buttons(view, stage));
    if (stage === before || (stage !== "asked" && stage !== "refused")) return;
    this.#spoken.append(make("p", {}, sentence));
    if (!this.#notice.checkVisibility()) toast(sentence); // another tab of a phone is open
    callBack(sentence);
  }
}

/**
 * @param {View} view
 * @param {Stage} stage
 */
function buttons(view, stage) {
  const answer = (/** @type {string} */ label, /** @type {boolean} */ agree, /** @type {string} */ style) =>
    button(label, () => attempt(() => post(`${tableUrl(view.table)}/end/answer`, { agree })), {
      class: style,
      "data-key": label,
    });
  if (stage === "asked")
    return [make("p", { class: "row" }, answer(_("Agree"), true, "main"), answer(_("Play on"), false, ""))];
  return stage === "waiting" ? [make("p", { class: "row" }, answer(_("Withdraw"), false, "quiet"))] : [];
}

/**
 * @param {View} view
 * @returns {Stage}
 */
function stageOf(view) {
  const { over, end_offer: offer, last_ply } = view;
  const asked = heldSeats(view).filter(({ resigned }) => resigned === null);
  if (over || !offer || asked.length === 0) return "";
  if (offer.refused.length > 0) return offer.ply === last_ply ? "refused" : "";
  return asked.every(({ seat }) => offer.agreed.includes(seat)) ? "waiting" : "asked";
}

/**
 * @param {View} view
 * @param {Stage} stage
 */
function sentenceOf(view, stage) {
  const { agreed = [], refused = [] } = view.end_offer ?? {};
  const names = (/** @type {number[]} */ seats) => seats.map((seat) => nameOf(view, seat)).join(", ");
  if (stage === "asked") return _("{names}: shall we end the game without a winner?", { names: names(agreed) });
  if (stage === "refused") return _("Would rather play on: {names}", { names: names(refused) });
  const others = view.seats.filter(
    (seat) => seat.browsers > 0 && seat.resigned === null && !agreed.includes(seat.seat),
  );
  const waiting = others.map(({ name }) => name).join(", ");
  return stage ? _("You offer to end the game. Waiting for {names}", { names: waiting }) : "";
}
