// @ts-check
// The dialog of someone who wants to end the game before its last move: resign, or ask the others to end it.

import { post } from "../../lib/api.js";
import { openDialog } from "../../lib/dialog.js";
import { button, make } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { nameOf, playerName, tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */

/** @param {View} view */
export function openEndDialog(view) {
  const url = tableUrl(view.table);
  const send = (/** @type {string} */ path, /** @type {object} */ command) => {
    dialog.close();
    attempt(() => post(`${url}${path}`, command));
  };
  const seat = view.mine.includes(view.viewer) ? view.viewer : (view.mine[0] ?? 0);
  const resign = choice(resignLabel(view, seat), resignText(view, seat), () => send("/resign", { seat }));
  const end = choice(endLabel(view), endText(view), () => send("/end", {}));
  const stay = button(_("Play on"), () => dialog.close(), { class: "main", autofocus: true });
  const heading = make("h2", {}, _("End the game early?"));
  const choices = isLastPerson(view) && view.seats.length > 2 ? [end] : view.tournament ? [resign] : [resign, end];
  const dialog = openDialog(
    { class: "setup end-dialog", "aria-label": heading.textContent },
    heading,
    ...choices,
    make("div", { class: "row end" }, stay),
  );
}

/**
 * A button, and what it means.
 * @param {string} label
 * @param {string} meaning
 * @param {() => void} act
 */
function choice(label, meaning, act) {
  return make("p", { class: "choice-line" }, button(label, act), make("span", { class: "dim" }, meaning));
}

/**
 * @param {View} view
 * @param {number} seat
 */
function resignLabel(view, seat) {
  return view.mine.length > 1 ? _("{name} resigns", { name: nameOf(view, seat) }) : _("Resign");
}

/**
 * @param {View} view
 * @param {number} seat
 */
function resignText(view, seat) {
  const left = view.seats.filter((other) => other.seat !== seat && other.resigned === null);
  const [winner] = left;
  if (winner && left.length === 1) return _("{name} wins.", { name: playerName(winner) });
  return _("A bot plays on in your place. For you the game is lost.");
}

/** @param {View} view */
function endLabel(view) {
  return isLastPerson(view) ? _("End without a winner") : _("Offer to end");
}

/** @param {View} view */
function endText(view) {
  return isLastPerson(view)
    ? _("The game is over at once and does not count.")
    : _("If everyone agrees, the game ends without a winner and does not count.");
}

/**
 * Whether nobody else has to agree: no other person holds a seat.
 * @param {View} view
 */
function isLastPerson({ seats }) {
  return !seats.some(({ mine, browsers, resigned }) => !mine && browsers > 0 && resigned === null);
}
