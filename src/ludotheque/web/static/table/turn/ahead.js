// @ts-check
// Deciding ahead of one's turn: what the game offers, what was decided, and the way back. Nobody else sees it.

import { post } from "../../lib/api.js";
import { button, make, part } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {NonNullable<View["ahead"]>} Offer */
/** @typedef {Offer["choices"][number]} Choice */

export class Ahead {
  #host = part("ahead");
  #shown = "";

  /** @param {View} view */
  follow(view) {
    const state = JSON.stringify([view.ahead, view.viewer]);
    if (state === this.#shown) return; // a field that is being filled in stays
    this.#shown = state;
    this.#host.hidden = !view.ahead;
    if (view.ahead) this.#render(view, view.ahead);
    else this.#host.replaceChildren();
  }

  /**
   * @param {View} view
   * @param {Offer} offer
   */
  #render(view, offer) {
    const send = async (/** @type {string} */ key, /** @type {number} */ amount) => {
      const body = { seat: view.viewer, situation: offer.situation, key, amount };
      if (await attempt(() => post(`${tableUrl(view.table)}/ahead`, body))) {
        this.follow({ ...view, ahead: { ...offer, key, amount } });
      }
    };
    const chosen = offer.choices.find(({ key }) => key === offer.key);
    const title = make("p", { class: "dim" }, _("Decide ahead of your turn, unseen by the others:"));
    const content = chosen
      ? [make("span", {}, labelOf(chosen, offer.amount)), button(_("Cancel"), () => send("", 0), { class: "small" })]
      : offer.choices.map((choice) => choiceField(choice, send));
    this.#host.replaceChildren(title, make("div", { class: "row" }, ...content));
  }
}

/**
 * @param {Choice} choice
 * @param {number} amount
 */
function labelOf({ label, highest }, amount) {
  return highest ? `${label} $${amount}` : label;
}

/**
 * @param {Choice} choice
 * @param {(key: string, amount: number) => void} send
 */
function choiceField({ key, label, lowest, highest }, send) {
  if (!highest) return button(label, () => send(key, 0), { class: "small" });
  const attributes = { type: "number", min: lowest, max: highest, value: lowest, "aria-label": label };
  const input = make("input", attributes);
  const set = button(label, () => input.reportValidity() && send(key, input.valueAsNumber), { class: "small" });
  return make("span", { class: "row" }, set, "$", input);
}
