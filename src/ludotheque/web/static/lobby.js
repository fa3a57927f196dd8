// @ts-check
// The lobby: setting up a table, joining one, opening a record.

import { get, post } from "./lib/api.js";
import { field, part } from "./lib/dom.js";
import { attempt, messageOf, toast } from "./lib/toast.js";
import { _ } from "./lib/translate.js";
import { offerPlayNow } from "./lobby/play_now.js";
import { offerRecovery } from "./lobby/recovery.js";
import { SetupDialog } from "./lobby/setup_dialog.js";
import { Tables } from "./lobby/tables.js";

/** @type {Promise<[import("./wire").GameCard[], import("./wire").LevelCard[]]> | null} */
let choices = null;
const setup = new SetupDialog();

/** The games and the levels of the bots; they are asked for again if they could not be loaded. */
function loadChoices() {
  choices ??= Promise.all([get("/api/games"), get("/api/levels")]);
  choices.catch(() => {
    choices = null;
  });
  return choices;
}

/** @param {string} title a game, or a game and one of its variants: `cable-car/companies` */
function setUp(title) {
  return attempt(async () => {
    const [games, levels] = await loadChoices();
    const [name, variant] = title.split("/");
    const game = games.find((known) => known.name === name);
    const played = game?.variants.find((known) => known.name === variant);
    if (game) setup.open(game, levels, played);
  });
}

/** @type {NodeListOf<HTMLElement>} */
const playButtons = document.querySelectorAll("[data-play]");
for (const play of playButtons) play.addEventListener("click", () => setUp(play.dataset.play ?? ""));
const wanted = new URLSearchParams(location.search).get("play");
if (wanted) setUp(wanted);

loadChoices();
offerPlayNow();
new Tables();
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
