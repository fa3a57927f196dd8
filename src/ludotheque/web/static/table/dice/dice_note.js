// @ts-check
// The dice while the game runs: what this browser adds to them, whom they wait for, who was left out; and whether the
// game came from a record.

import { post } from "../../lib/api.js";
import { button, make, part } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { isFree, nameOf, tableUrl } from "../view.js";
import { commitSeats, kept, revealNonces } from "./nonces.js";

/** @typedef {import("../view.js").View} View */

export class DiceNote {
  #commitment = part("dice");
  #note = part("notes");
  #waiting = part("dice-wait");
  /** The commitments of the dice that this page has committed to, and revealed its nonces for. */
  #committedTo = "";
  #revealedTo = "";

  /** @param {View} view */
  follow(view) {
    this.#commitment.textContent = commitmentText(view);
    const notes = [recordNote(view), ...dealNotes(view), ...diceNotes(view)].filter((sentence) => sentence !== "");
    this.#note.hidden = notes.length === 0;
    this.#note.textContent = notes.join(" ");
    this.#showWaiting(view);
    if (view.dice?.state === "open") this.#commit(view, view.dice);
    if (view.dice?.state === "reveal") this.#reveal(view, view.dice);
  }

  /** @param {View} view */
  #showWaiting(view) {
    this.#waiting.hidden = view.dice?.state !== "open";
    if (this.#waiting.hidden) return this.#waiting.replaceChildren();
    const names = view.seats.filter(isFree).map((seat) => seat.name);
    const sentence = names.length
      ? _("The game starts when all players are seated. Still missing: {names}", { names: names.join(", ") })
      : _("Waiting up to ten seconds for the players' browsers to add to the dice.");
    const start = button(_("Start without them"), () => attempt(() => post(`${tableUrl(view.table)}/start`)));
    this.#waiting.replaceChildren(make("p", {}, sentence), view.host ? start : "");
  }

  /**
   * @param {View} view
   * @param {NonNullable<View["dice"]>} dice
   */
  #commit(view, { commitment, nonces }) {
    if (this.#committedTo === commitment) return;
    this.#committedTo = commitment;
    attempt(() => commitSeats(view.table, view.mine, nonces));
  }

  /**
   * @param {View} view
   * @param {NonNullable<View["dice"]>} dice
   */
  #reveal(view, { commitment, nonces }) {
    if (this.#revealedTo === commitment || Object.keys(kept(view.table).nonces).length === 0) return;
    this.#revealedTo = commitment;
    attempt(() => revealNonces(view.table, commitment, nonces));
  }
}

/**
 * The promise of the dice while the game runs; afterwards the result shows whether it was kept.
 * @param {View} view
 */
function commitmentText({ dice, over }) {
  if (!dice || over) return "";
  return _("Fair dice: the seed was committed to as {commitment}.", { commitment: dice.commitment });
}

/** @param {View} view */
function recordNote({ kind }) {
  return kind === "record" ? _("This game was opened from a record, so its host may have known it.") : "";
}

/**
 * The people who may not have been the first to see what was dealt to them.
 * @param {View} view
 */
function dealNotes({ dice, seats }) {
  const names = seats.filter((seat) => seat.late).map((seat) => seat.name);
  return [
    dice?.redeals ? _("New deals because someone sat down: {count}.", { count: dice.redeals }) : "",
    names.length > 0
      ? _("Joined after the first move, so others may know what was dealt to them: {names}.", {
          names: names.join(", "),
        })
      : "",
  ];
}

/** @param {View} view */
function diceNotes(view) {
  if (view.dice?.state !== "closed" || view.dice.nonces.length === 0) return [];
  const late = view.dice.nonces.filter((added) => !added.nonce).map((added) => nameOf(view, added.seat));
  const names = late.join(", ");
  return late.length > 0 ? [_("Too late to add to the dice: {names}.", { names })] : [];
}
