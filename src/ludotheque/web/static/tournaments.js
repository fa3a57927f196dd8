// @ts-check
// The page of one's tournaments: the form that creates one.

import { post } from "./lib/api.js";
import { field, part } from "./lib/dom.js";
import { keepSecret } from "./lib/kept_secret.js";
import { attempt } from "./lib/toast.js";

const form = part("tournament", HTMLFormElement);
/** @param {string} name */
const select = (name) => field(form, name, HTMLSelectElement);
const rated = form.querySelector('input[name="rated"]');

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
  /** @type {import("./wire").NewTournamentView} */
  const made = await post("/api/tournaments", {
    title: field(form, "title").value.trim(),
    game: select("game").value,
    seats: Number(select("seats").value),
    system: select("system").value,
    rounds: Number(field(form, "rounds").value),
    clock: select("clock").value,
    hours: Number(select("hours").value),
    rated: rated instanceof HTMLInputElement && rated.checked,
    plays: field(form, "plays").checked,
  });
  keepSecret("tournament", made.id, made.url.split("#")[1] ?? "");
  location.assign(`/tournaments/${made.id}`);
}

form.addEventListener("change", limitChoices);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(create);
});
limitChoices();
