// @ts-check
// The level of the player's match after a game against it.

import { make } from "../../lib/dom.js";
import { countResult, isMatch } from "../../lib/match_level.js";
import { _ } from "../../lib/translate.js";

/** @typedef {import("../view.js").View} View */

/**
 * The level of the player's match after this game, if it was against that bot.
 * @param {View} view
 */
export function matchText({ game, mine, seats, result }) {
  const [seat, ...others] = mine;
  const isMine = seat !== undefined && others.length === 0;
  if (!isMine || !result || !seats.some(({ who, level }) => who === "bot" && isMatch(level))) return [];
  const { before, after } = countResult(game, location.pathname, Math.max(0, result.returns[seat] ?? 0));
  const sentence =
    before === after
      ? _("Your matched bot stays at level {level}.", { level: after })
      : _("Your matched bot moves from level {before} to {after}.", { before, after });
  return [make("p", { class: "match" }, sentence)];
}
