// @ts-check
// After the game: who won, and whether the dice were fair.

import { imported } from "../../lib/api.js";
import { make, part } from "../../lib/dom.js";
import { messageOf } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";

/** @typedef {import("../view.js").View} View */

export class Result {
  #host = part("result");
  /** @type {number | null} the version of the view that is shown */
  #version = null;

  /** @param {View} view */
  async follow(view) {
    this.#host.hidden = !view.result;
    const version = view.result ? view.version : null;
    if (this.#version === version) return;
    this.#version = version;
    if (!view.result) return;
    if (this.#host.parentElement) this.#host.parentElement.scrollTop = 0;
    const again = make("a", { class: "button small", href: `/?play=${view.game}` }, _("New game"));
    this.#host.replaceChildren(make("h2", {}, headline(view)), standings(view, view.result), make("p", {}, again));
    const dice = await checkedDice(view).catch((error) => make("p", {}, messageOf(error)));
    if (dice && this.#version === version) this.#host.append(dice);
  }
}

/** @param {View} view */
async function checkedDice(view) {
  const { fairness } = await imported(import("../dice/fairness.js"));
  return fairness(view);
}

/** @param {View} view */
export function headline(view) {
  const winners = view.seats.filter(({ seat }) => (view.result?.returns[seat] ?? 0) > 0).map((seat) => seat.name);
  const [winner = "", ...others] = winners;
  if (winners.length === view.seats.length) return _("A draw");
  if (others.length > 0) return _("{names} share the win", { names: winners.join(", ") });
  return _("{name} wins", { name: winner });
}

/**
 * @param {View} view
 * @param {NonNullable<View["result"]>} result
 */
function standings(view, { scores, score_texts: texts }) {
  const score = (/** @type {number} */ seat) => scores[seat] ?? 0;
  const order = view.seats.toSorted((one, two) => score(two.seat) - score(one.seat));
  const rows = order.map(({ seat, name }) => make("li", {}, make("span", {}, name), make("strong", {}, texts[seat])));
  return make("ol", { class: "standings" }, ...rows);
}
