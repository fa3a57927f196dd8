// What became of the promise of the dice: the commitment, the seed, and whether every draw followed.

import { get } from "./api.js";
import { canCheck, checkDice } from "./dice.js";
import { make } from "./dom.js";
import { _ } from "./words.js";

/** Check the dice of a finished game, and tell. */
export async function fairness(view) {
  if (!view.dice) return null;
  const told = await get(`/api/tables/${view.table}/draws`);
  const result = told.seed && canCheck() ? await checkDice(told) : null;
  const fair = result ? result.committed && !result.wrong : null;
  return make(
    "details",
    { class: "fairness", "data-fair": fair === null ? "unknown" : fair ? "yes" : "no", open: fair === false },
    make("summary", {}, verdict(told, result)),
    result?.others
      ? make(
          "p",
          {},
          _("{count} draws were made by other dice, before this table took the game up.", { count: result.others }),
        )
      : null,
    make(
      "p",
      {},
      _(
        "Before the first draw the server committed to the SHA-256 of its seed; every draw follows from the seed. This was checked in your browser.",
      ),
    ),
    make(
      "dl",
      {},
      make("dt", {}, _("Commitment")),
      make("dd", {}, make("code", {}, told.commitment)),
      make("dt", {}, _("Seed")),
      make("dd", {}, make("code", {}, told.seed || _("unknown"))),
    ),
  );
}

function verdict(told, result) {
  if (!told.seed) return _("The dice cannot be checked: their seed is not known here.");
  if (!result) return _("The dice cannot be checked: this browser has no cryptography for pages over plain http.");
  if (!result.committed) return _("The dice were not fair: the seed is not the one that was committed to.");
  if (!result.wrong)
    return _("Fair dice: {count} draws checked, each follows from the seed.", { count: result.checked });
  return _("The dice were not fair: ply {ply} drew {drawn}, but the seed gives {due}.", result.wrong);
}
