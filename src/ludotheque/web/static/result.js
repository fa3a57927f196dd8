// After the game: who won, and whether the dice were fair.

import { make, part } from "./dom.js";
import { fairness } from "./fairness.js";
import { _ } from "./words.js";

export async function showResult(view) {
  const host = part("result");
  if (!view.result) {
    host.hidden = true;
    delete host.dataset.version;
    return;
  }
  if (host.dataset.version === String(view.version)) return;
  host.dataset.version = view.version;
  host.hidden = false;
  host.parentElement.scrollTop = 0;
  const again = make("p", {}, make("a", { class: "button small", href: `/?play=${view.game}` }, _("Play again")));
  host.replaceChildren(make("h2", {}, headline(view)), standings(view), again);
  const dice = await fairness(view).catch((error) => make("p", {}, error.message));
  if (dice) host.append(dice);
}

export function headline(view) {
  const winners = view.seats.filter((seat) => view.result.returns[seat.seat] > 0).map((seat) => seat.name);
  if (winners.length === view.seats.length) return _("A draw");
  if (winners.length > 1) return _("{names} share the win", { names: winners.join(", ") });
  return _("{name} wins", { name: winners[0] });
}

function standings(view) {
  const order = view.seats
    .map((seat) => seat.seat)
    .sort((one, two) => view.result.scores[two] - view.result.scores[one]);
  return make(
    "ol",
    { class: "standings" },
    ...order.map((seat) =>
      make("li", {}, make("span", {}, view.seats[seat].name), make("strong", {}, view.result.scores[seat])),
    ),
  );
}
