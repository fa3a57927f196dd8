// @ts-check
// After the game: the commitment, the seed, and whether every draw followed from it.

import { get } from "../../lib/api.js";
import { make } from "../../lib/dom.js";
import { _ } from "../../lib/translate.js";
import { nameOf, tableUrl } from "../view.js";
import { canCheck } from "./commitment.js";
import { checkDice } from "./dice.js";
import { areTheSame, kept } from "./nonces.js";

/** @typedef {import("../../wire").Draws} Draws */
/** @typedef {import("./dice.js").DiceCheck} DiceCheck */

/**
 * Check the dice of a finished game and describe the result; null in a game without dice.
 * @param {import("../view.js").View} view
 */
export async function fairness(view) {
  if (!view.dice) return null;
  /** @type {Draws} */
  const draws = await get(`${tableUrl(view.table)}/draws`);
  const check = draws.seed && canCheck() ? await checkDice(draws) : null;
  const isOurs = areTheSame(kept(view.table), draws);
  const isFair = check ? check.committed && isOurs && !check.wrong : null;
  return make(
    "details",
    { class: "fairness", "data-fair": check ? (isFair ? "yes" : "no") : "unknown", open: isFair === false },
    make("summary", {}, verdict(draws, check, isOurs)),
    check?.others
      ? make("p", {}, _("Draws by other dice, before this table took over the game: {count}.", { count: check.others }))
      : null,
    make(
      "p",
      {},
      _(
        "Before the first draw the server committed to the SHA-256 of its seed; every draw follows from the seed and from what the players' browsers added. This was checked in your browser.",
      ),
    ),
    make(
      "dl",
      {},
      make("dt", {}, _("Commitment")),
      make("dd", {}, make("code", {}, draws.commitment)),
      make("dt", {}, _("Seed")),
      make("dd", {}, make("code", {}, draws.seed || _("unknown"))),
      ...draws.nonces.flatMap(({ seat, nonce }) => [
        make("dt", {}, _("Added by {name}", { name: nameOf(view, seat) })),
        make("dd", {}, make("code", {}, nonce || _("left out"))),
      ]),
    ),
  );
}

/**
 * @param {Draws} draws
 * @param {DiceCheck | null} check
 * @param {boolean} isOurs whether this browser added to these dice, if to any
 */
function verdict(draws, check, isOurs) {
  if (!draws.seed) return _("The dice cannot be checked: their seed is not known here.");
  if (!check) return _("The dice cannot be checked: this browser has no cryptography for pages over plain http.");
  if (!check.committed) return _("The dice were not fair: the seed is not the one that was committed to.");
  if (!isOurs) return _("The dice were not fair: they are not those that this browser added to.");
  if (!check.wrong)
    return _("Fair dice. Draws checked: {count}; each follows from the seed.", { count: check.checked });
  return _("The dice were not fair: move {ply} drew {drawn}, but the seed gives {due}.", check.wrong);
}
