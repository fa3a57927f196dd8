// @ts-check
// The page of one's tournaments: the form that creates one.

import "./preferences.js";
import { get, post } from "./lib/api.js";
import { field, part } from "./lib/dom.js";
import { keepSecret } from "./lib/kept_secret.js";
import { attempt } from "./lib/toast.js";
import { chosenOptions, optionFields } from "./lobby/options.js";

/** @typedef {import("./wire").GameCard} GameCard */

const form = part("tournament", HTMLFormElement);
/** @param {string} name */
const select = (name) => field(form, name, HTMLSelectElement);
const rated = form.querySelector('input[name="rated"]');

/** @type {GameCard[]} */
let games = [];

/** They are asked for again if they could not be loaded. */
async function loadGames() {
  if (!games.length) games = await get("/api/games");
}

/** The game that is chosen, and what its variant sets. */
function chosenGame() {
  const [name, variant] = select("game").value.split("/");
  const game = games.find((known) => known.name === name);
  const preset = game?.variants.find((known) => known.name === variant)?.settings ?? {};
  return { game, preset };
}

function askOptions() {
  const { game, preset } = chosenGame();
  part("options").replaceChildren(...optionFields(game?.options ?? [], preset));
  part("more").hidden = part("options").children.length === 0;
}

/** @param {HTMLSelectElement} list @param {(option: HTMLOptionElement) => boolean} fits */
function limit(list, fits) {
  for (const option of list.options) option.hidden = option.disabled = !fits(option);
  const first = [...list.options].find((option) => !option.disabled);
  if (list.selectedOptions[0]?.disabled && first) list.value = first.value;
}

/** Only what fits can be chosen: seats by game, systems by seats, rounds by system, and their length by clock. */
function limitChoices() {
  const [few = 2, many = 2] = (select("game").selectedOptions[0]?.dataset.players ?? "").split(" ").map(Number);
  limit(select("seats"), (option) => few <= Number(option.value) && Number(option.value) <= many);
  const isForTwo = select("seats").value === "2";
  limit(select("system"), (option) => (option.value === "groups") !== isForTwo);
  part("rounds").hidden = ["knockout", "round-robin"].includes(select("system").value);
  const pace = select("clock").value.startsWith("days") ? "days" : "live";
  limit(select("hours"), (option) => option.dataset.pace === pace);
}

async function create() {
  await loadGames();
  const { game, preset } = chosenGame();
  /** @type {import("./wire").NewTournamentView} */
  const made = await post("/api/tournaments", {
    title: field(form, "title").value.trim(),
    game: game?.name ?? "",
    options: chosenOptions(form, game?.options ?? [], preset),
    seats: Number(select("seats").value),
    system: select("system").value,
    rounds: Number(field(form, "rounds").value),
    clock: select("clock").value,
    hours: Number(select("hours").value),
    rated: rated instanceof HTMLInputElement && rated.checked,
    plays: field(form, "plays").checked,
    club: new URLSearchParams(location.search).get("club") ?? "",
  });
  keepSecret("tournament", made.id, made.url.split("#")[1] ?? "");
  location.assign(`/tournaments/${made.id}`);
}

form.addEventListener("change", limitChoices);
select("game").addEventListener("change", askOptions);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(create);
});
limitChoices();
attempt(async () => {
  await loadGames();
  askOptions();
});
