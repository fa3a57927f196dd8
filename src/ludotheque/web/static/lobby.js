// The lobby: setting up a table, and joining one.

import { get, post } from "./api.js";
import { make, part } from "./dom.js";
import { toast } from "./toast.js";
import { _ } from "./words.js";

const dialog = part("setup");
const form = part("setup-form");
const facts = Promise.all([get("/api/games"), get("/api/levels")]);
const NAME = "name";

let game = null;
let levels = [];

// Setting up.

async function setUp(name) {
  try {
    const [games, bots] = await facts;
    game = games.find((known) => known.name === name);
    levels = bots;
  } catch (error) {
    toast(error.message);
    return;
  }
  document.getElementById("setup-title").textContent = game.title;
  const counts = range(game.min_players, game.max_players);
  form.elements.players.replaceChildren(...counts.map((count) => make("option", { value: count }, count)));
  form.elements.players.closest("label").hidden = counts.length === 1;
  part("setup-seats").replaceChildren();
  seat(counts[0]);
  part("setup-options").replaceChildren(
    ...game.options.filter((option) => option.kind !== "document").map(optionField),
  );
  part("setup-more").hidden = part("setup-options").children.length === 0;
  part("setup-error").hidden = true;
  dialog.showModal();
  part("setup-start").focus();
}

function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_unused, place) => from + place);
}

/** So many seats; those that are there keep what was chosen. */
function seat(count) {
  const list = part("setup-seats");
  while (list.children.length > count) list.lastChild.remove();
  while (list.children.length < count) list.append(seatRow(list.children.length));
}

function seatRow(number) {
  const bots = levels.map(({ level, name }) => make("option", { value: `bot ${level}` }, _("Bot: {name}", { name })));
  const usual = levels[Math.floor(levels.length / 2)]?.level;
  const who = make(
    "select",
    { "aria-label": _("Who sits at seat {number}", { number: number + 1 }) },
    make("option", { value: "me" }, _("Me, at this screen")),
    make("option", { value: "link" }, _("A friend, by link")),
    make("option", { value: "open" }, _("Anybody")),
    ...bots,
  );
  who.value = number === 0 ? "me" : `bot ${usual}`;
  const name = make("input", {
    maxlength: 40,
    autocomplete: "off",
    placeholder: number === 0 ? _("Your name") : _("Name"),
    "aria-label": _("Name at seat {number}", { number: number + 1 }),
  });
  if (number === 0) name.value = localStorage.getItem(NAME) ?? "";
  const fit = () => {
    name.hidden = who.value !== "me" && who.value !== "link";
  };
  who.addEventListener("change", fit);
  fit();
  return make("li", {}, who, name);
}

function optionField(option) {
  if (option.kind === "flag") {
    const box = make("input", { type: "checkbox", name: `option ${option.name}`, checked: option.default });
    return make("label", { class: "check" }, box, ` ${option.help}`);
  }
  const select = make(
    "select",
    { name: `option ${option.name}` },
    ...option.choices.map((choice) => make("option", { value: choice, selected: choice === option.default }, choice)),
  );
  return make("label", { class: "line" }, make("span", {}, option.help), select);
}

function chosenSeats() {
  return [...part("setup-seats").children].map((row) => {
    const [who, name] = [row.querySelector("select").value, row.querySelector("input").value.trim()];
    if (who.startsWith("bot ")) return { who: "bot", level: who.slice(4) };
    return { who, ...(name && who !== "open" ? { name } : {}) };
  });
}

function chosenOptions() {
  const chosen = {};
  for (const option of game.options) {
    const field = form.elements[`option ${option.name}`];
    if (!field) continue;
    const value = option.kind === "flag" ? field.checked : option.kind === "number" ? Number(field.value) : field.value;
    if (value !== option.default) chosen[option.name] = value;
  }
  return chosen;
}

async function start(event) {
  event.preventDefault();
  const seats = chosenSeats();
  if (seats[0].who === "me" && seats[0].name) localStorage.setItem(NAME, seats[0].name);
  part("setup-start").disabled = true;
  try {
    const table = await post("/api/tables", { game: game.name, options: chosenOptions(), seats });
    location.assign(table.url);
  } catch (error) {
    part("setup-error").textContent = error.message;
    part("setup-error").hidden = false;
  } finally {
    part("setup-start").disabled = false;
  }
}

form.addEventListener("submit", start);
form.elements.players.addEventListener("change", () => seat(Number(form.elements.players.value)));
part("setup-cancel").addEventListener("click", () => dialog.close());
for (const play of document.querySelectorAll("[data-play]")) {
  play.addEventListener("click", () => setUp(play.dataset.play));
}
const wanted = new URLSearchParams(location.search).get("play");
if (wanted) setUp(wanted);

// Joining.

part("join").addEventListener("submit", (event) => {
  event.preventDefault();
  const link = URL.parse?.(event.target.elements.link.value.trim(), location.origin);
  if (link?.origin === location.origin && link.pathname.startsWith("/t/"))
    location.assign(link.pathname + link.search + link.hash);
  else toast(_("That is not a link to a table here."));
});

part("record").addEventListener("submit", async (event) => {
  event.preventDefault();
  const wrong = part("record-error");
  wrong.hidden = true;
  const record = await event.target.elements.record.files[0].text();
  try {
    location.assign((await post("/api/records", { record })).url);
  } catch (error) {
    wrong.textContent = error.message;
    wrong.hidden = false;
  }
});
