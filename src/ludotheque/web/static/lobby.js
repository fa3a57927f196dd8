// @ts-check
// The lobby: setting up a table, joining one, opening a record.

import "./preferences.js";
import { get, post } from "./lib/api.js";
import { countInTitle } from "./lib/count_in_title.js";
import { field, part } from "./lib/dom.js";
import { attempt, messageOf, toast } from "./lib/toast.js";
import { _ } from "./lib/translate.js";
import { lastSetup } from "./lobby/opening.js";
import { offerPlayNow } from "./lobby/play_now.js";
import { offerRecovery } from "./lobby/recovery.js";
import { SetupDialog } from "./lobby/setup_dialog.js";
import { Tables } from "./lobby/tables.js";

/** @typedef {import("./lobby/setup_dialog.js").Choices} Choices */

/** @type {Promise<Choices> | null} */
let choices = null;
const setup = new SetupDialog();

/** The games, the levels of the bots and the people; they are asked for again if they could not be loaded. */
function loadChoices() {
  choices ??= fetchChoices();
  choices.catch(() => {
    choices = null;
  });
  return choices;
}

/** @returns {Promise<Choices>} */
async function fetchChoices() {
  /** @type {[Choices["games"], Choices["levels"], Choices["people"]]} */
  const [games, levels, people] = await Promise.all([get("/api/games"), get("/api/levels"), get("/api/people")]);
  return { games, levels, people: people.filter(({ name, blocked }) => name && !blocked) };
}

/** @param {string} title a game, or a game and one of its variants: `cable-car/companies` */
function setUp(title) {
  return attempt(async () => {
    const loaded = await loadChoices();
    const [name, variant] = title.split("/");
    const game = loaded.games.find((known) => known.name === name);
    const played = game?.variants.find((known) => known.name === variant);
    if (game) setup.open(loaded, game, played);
  });
}

/** @param {string} profile of the person to challenge */
function challenge(profile) {
  return attempt(async () => {
    const loaded = await loadChoices();
    const person = loaded.people.find((known) => known.profile === profile);
    if (person) setup.challenge(loaded, person, lastSetup()?.setup);
    else toast(_("You can challenge people with whom you have played, and members of your clubs."));
  });
}

/** @type {NodeListOf<HTMLElement>} */
const playButtons = document.querySelectorAll("[data-play]");
for (const play of playButtons) play.addEventListener("click", () => setUp(play.dataset.play ?? ""));
const asked = new URLSearchParams(location.search);
const wanted = asked.get("play");
if (wanted) setUp(wanted);
const challenged = asked.get("challenge");
if (challenged) challenge(challenged);

loadChoices();
offerPlayNow();
new Tables();
countInTitle();
offerRecovery();

const join = part("join", HTMLFormElement);
join.addEventListener("submit", (event) => {
  event.preventDefault();
  const link = URL.parse(field(join, "link").value.trim(), location.origin);
  const isTable = link?.origin === location.origin && link.pathname.startsWith("/t/");
  if (link && isTable) location.assign(link.pathname + link.search + link.hash);
  else toast(_("This is not a link to a table on this server."));
});

const record = part("record", HTMLFormElement);
record.addEventListener("submit", async (event) => {
  event.preventDefault();
  const wrong = part("record-error");
  wrong.hidden = true;
  try {
    const text = await field(record, "record").files?.[0]?.text();
    /** @type {import("./wire").Opened} */
    const opened = await post("/api/records", { record: text });
    location.assign(opened.url);
  } catch (error) {
    wrong.textContent = messageOf(error);
    wrong.hidden = false;
  }
});
