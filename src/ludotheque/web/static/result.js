// After the game: who won, and everybody's worth over time.

import { get } from "./api.js";
import { make, part } from "./dom.js";
import { fairness } from "./fairness.js";
import { _ } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [320, 140];
const DASHES = ["", "6 3", "2 3", "9 3 2 3", "12 4", "1 4"]; // so that colour is not the only mark

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
  host.replaceChildren(make("h2", {}, headline(view)), standings(view));
  const worth = await get(`/api/tables/${view.table}/worth`).catch(() => null);
  if (worth?.scores?.length > 1) host.append(chart(worth.scores, view.seats.map((seat) => seat.name)));
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
  const order = view.seats.map((seat) => seat.seat).sort((one, two) => view.result.scores[two] - view.result.scores[one]);
  return make("ol", { class: "standings" }, ...order.map((seat) => make("li", {},
    make("span", {}, view.seats[seat].name), make("strong", {}, view.result.scores[seat]))));
}

function chart(scores, names) {
  const all = scores.flat();
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const x = (ply) => 4 + (ply / (scores.length - 1)) * (WIDTH - 8);
  const y = (score) => HEIGHT - 6 - ((score - low) / (high - low)) * (HEIGHT - 12);
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", _("Points over time"));
  const legend = make("p", { class: "legend" });
  names.forEach((name, seat) => {
    const line = document.createElementNS(SVG, "polyline");
    line.setAttribute("points", scores.map((row, ply) => `${x(ply).toFixed(1)},${y(row[seat]).toFixed(1)}`).join(" "));
    line.setAttribute("class", `seat-${seat}`);
    if (DASHES[seat]) line.setAttribute("stroke-dasharray", DASHES[seat]);
    picture.append(line);
    legend.append(make("span", { class: `seat-${seat}` }, name));
  });
  return make("figure", { class: "chart" }, picture, make("figcaption", {}, _("Points over time"), legend));
}
