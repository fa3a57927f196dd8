// @ts-check
// The points that seats gain, each in the colour of its player.

import { make } from "../lib/dom.js";
import { changeText, nameOf, scoreTextsOf } from "./view.js";

/**
 * A chip for each seat that gains or loses something.
 * @param {import("./view.js").View} view
 * @param {readonly number[]} gains by seat
 * @param {boolean} [isNamed] whether it names the player to those who see it, too
 */
export function gainChips(view, gains, isNamed = false) {
  const texts = scoreTextsOf(view);
  return view.seats.flatMap(({ colour }, seat) => {
    const gained = gains[seat] ?? 0;
    if (gained === 0) return [];
    const name = make("span", { class: isNamed ? null : "unseen" }, ` ${nameOf(view, seat)} `);
    return [make("span", { class: `gain-of colour-${colour}` }, name, changeText(gained, texts[seat] ?? ""))];
  });
}
