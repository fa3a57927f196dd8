// @ts-check
// After the game: who won, and whether the dice were fair.

import { make, part } from "../../lib/dom.js";
import { rememberWin } from "../../lib/first_win.js";
import { messageOf } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { fairness } from "../dice/fairness.js";
import { playerName } from "../view.js";
import { matchText } from "./match_result.js";

/** @typedef {import("../view.js").View} View */

export class Result {
  #host = part("result");
  #outcome = part("outcome");
  #dice = part("fairness");
  /** @type {number | null} the version of the view that is shown */
  #version = null;

  /** @param {View} view */
  async follow(view) {
    const hasEnded = view.result !== null || (view.over && view.abandoned);
    this.#host.hidden = !hasEnded;
    const version = hasEnded ? view.version : null;
    if (this.#version === version) return;
    this.#version = version;
    if (!hasEnded) return;
    if (headline(view) === _("You win")) rememberWin();
    if (this.#host.parentElement) this.#host.parentElement.scrollTop = 0;
    const [heading, reason] = [headline(view), reasonText(view)];
    this.#outcome.replaceChildren(
      make("div", { class: "cover" }, make("img", { src: this.#host.dataset.cover, alt: "" }), make("h2", {}, heading)),
      ...(heading === reason ? [] : [make("p", { class: "winners" }, reason)]),
      ...botsText(view).map((sentence) => make("p", { class: "dim" }, sentence)),
      ...(view.result ? [standings(view, view.result)] : []),
    );
    if (view.seats.some(({ who, level }) => who === "bot" && level.includes(".")))
      this.#host.append(...(await matchText(view)));
    const dice = await fairness(view).catch((error) => make("p", { class: "fairness" }, messageOf(error)));
    if (this.#version === version) this.#dice.replaceChildren(...(dice ? [dice] : []));
  }
}

/**
 * The result from the side of the reader, if they had one seat; otherwise who won.
 * @param {View} view
 */
export function headline(view) {
  if (view.abandoned) return winnersText(view);
  const [seat, ...others] = view.mine;
  const winners = winnersOf(view);
  if (seat !== undefined && others.length === 0 && hasResigned(view, seat))
    return view.seats[seat]?.timed_out ? _("You lost on time") : _("You resigned");
  if (seat === undefined || others.length > 0 || winners.length === view.seats.length) return winnersText(view);
  const names = winners.filter((winner) => winner.seat !== seat).map(playerName);
  if (winners.length === names.length) return placeText(placeOf(view, seat));
  return names.length > 0 ? _("You and {names} share the win", { names: listed(names) }) : _("You win");
}

/** @param {View} view */
export function winnersText(view) {
  if (view.abandoned) return _("Ended by agreement, without a winner");
  const names = winnersOf(view).map(playerName);
  if (names.length === view.seats.length) return _("A draw");
  if (names.length > 1) return _("{names} share the win", { names: listed(names) });
  return _("{name} wins", { name: names[0] ?? "" });
}

/** @param {string[]} names */
function listed(names) {
  return new Intl.ListFormat(document.documentElement.lang || "en").format(names);
}

/**
 * @param {View} view
 * @param {number} seat
 */
function hasResigned(view, seat) {
  return (view.seats[seat]?.resigned ?? null) !== null;
}

/**
 * Why the game ended so: the last one to resign or lose on time, unless that was the reader; else who won, which the
 * headline says already if that was the reader.
 * @param {View} view
 */
export function reasonText(view) {
  const last = view.seats.find(
    ({ seat, resigned, who }) => who === "person" && resigned !== null && !view.mine.includes(seat),
  );
  const hasWon = winnersOf(view).some(({ seat }) => view.mine.length === 1 && view.mine.includes(seat));
  if (!last || view.abandoned) return hasWon ? headline(view) : winnersText(view);
  return last.timed_out ? _("{name} lost on time", { name: last.name }) : _("{name} resigned", { name: last.name });
}

/**
 * Those who gave up while the game went on, and from which move on a bot played for them.
 * @param {View} view
 */
function botsText({ seats }) {
  return seats.flatMap(({ name, resigned, who }) =>
    who === "bot" && resigned !== null
      ? [_("{name} resigned; a bot played on from move {move}.", { name, move: resigned + 1 })]
      : [],
  );
}

/** @param {View} view */
function winnersOf({ seats, result }) {
  return seats.filter(({ seat }) => (result?.returns[seat] ?? 0) > 0);
}

/**
 * The place of a seat that has not won, from 2 on.
 * @param {View} view
 * @param {number} seat
 */
function placeOf(view, seat) {
  const scores = view.result?.scores ?? [];
  return Math.max(2, 1 + scores.filter((score) => score > (scores[seat] ?? 0)).length);
}

/** @param {number} place */
function placeText(place) {
  const words = [_("Second"), _("Third"), _("Fourth"), _("Fifth"), _("Sixth")];
  return words[place - 2] ?? _("Place {place}", { place });
}

/**
 * The distance of a seat behind another one at the end; 0 if they share a place.
 * @param {Pick<NonNullable<View["result"]>, "scores" | "returns">} result
 * @param {number} one
 * @param {number} other
 */
function behind({ scores, returns }, one, other) {
  const difference = (/** @type {readonly number[]} */ values) => (values[other] ?? 0) - (values[one] ?? 0);
  return difference(returns) || difference(scores);
}

/**
 * The number before a seat in the standings: the same for those who share a place.
 * @param {Pick<NonNullable<View["result"]>, "scores" | "returns">} result
 * @param {number} seat
 */
export function rankOf(result, seat) {
  return 1 + result.scores.filter((_score, other) => behind(result, seat, other) > 0).length;
}

/**
 * @param {View} view
 * @param {NonNullable<View["result"]>} result
 */
function standings(view, result) {
  const order = view.seats.toSorted(({ seat: one }, { seat: two }) => behind(result, one, two));
  const rows = order.map((seat) =>
    make(
      "li",
      { class: seat.mine ? "mine" : null, value: rankOf(result, seat.seat) },
      make("span", {}, playerName(seat)),
      make("strong", {}, result.score_texts[seat.seat]),
    ),
  );
  return make("ol", { class: "standings" }, ...rows);
}
