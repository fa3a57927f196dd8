// @ts-check
// Lists of puzzles: which were solved, the solver's rating, and the days in a row.

import "./preferences.js";
import { part } from "./lib/dom.js";
import { attempt } from "./lib/toast.js";
import { _ } from "./lib/translate.js";
import { bestRush } from "./study/rush_rules.js";
import { loadSolving } from "./study/solving.js";

/** @param {import("./study/solving.js").Solving} solving */
function show(solving) {
  const host = part("streak");
  const days = solving.days(host.dataset.day ?? "");
  if (days > 0) host.textContent = _("Days in a row: {days}", { days });

  /** @type {NodeListOf<HTMLElement>} */
  const puzzles = document.querySelectorAll("[data-puzzle]");
  for (const link of puzzles) link.classList.toggle("solved", solving.isSolved(link.dataset.puzzle ?? ""));

  /** @type {NodeListOf<HTMLElement>} */
  const results = document.querySelectorAll("[data-results]");
  for (const result of results) {
    const { results: game = "", rush = "" } = result.dataset;
    const { rating, tries, best } = solving.solver(game);
    const facts = [
      tries > 0 ? _("Your rating: {rating}", { rating }) : "",
      best > 1 ? _("Most in a row: {count}", { count: best }) : "",
      bestRush(rush) > 0 ? _("Best rush: {count}", { count: bestRush(rush) }) : "",
    ];
    result.textContent = facts.filter(Boolean).join(" · ");
  }
}

attempt(async () => show(await loadSolving()));
