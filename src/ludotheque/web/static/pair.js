// @ts-check
// The page that pairs people: wishes, waiting, and on to the table that opens.

import "./preferences.js";
import { get, post, RequestError } from "./lib/api.js";
import { field, part } from "./lib/dom.js";
import { rememberedName, rememberName } from "./lib/my_name.js";
import { attempt, toast } from "./lib/toast.js";
import { _ } from "./lib/translate.js";

/** @typedef {import("./wire").PairingView} PairingView */

const WISHES = "wishes";
const WAIT_SECONDS = 20;
const PAUSE = 3000;
const form = part("wishes", HTMLFormElement);
const waiting = part("waiting");
const name = field(form, "name");
/** @type {HTMLInputElement | null} */
const rated = form.querySelector('input[name="rated"]');
let since = 0;
let run = 0; // counts the times that this page began to wait, so that an old wait ends

/** @param {string} list */
function boxes(list) {
  return /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(`input[name="${list}"]`)]);
}

/** @param {string} list */
function ticked(list) {
  return boxes(list).filter((box) => box.checked && !box.disabled);
}

/** Numbers of players that none of the ticked games takes cannot be ticked. */
function limitPlayers() {
  const games = ticked("games").map((box) => (box.dataset.players ?? "").split(" ").map(Number));
  for (const box of boxes("players")) {
    const count = Number(box.value);
    box.disabled = games.length > 0 && !games.some(([few = 0, many = 0]) => few <= count && count <= many);
  }
}

function restore() {
  name.value = rememberedName();
  const known = JSON.parse(localStorage.getItem(WISHES) ?? "null");
  if (!known) return;
  for (const list of ["games", "players", "clocks"]) {
    for (const box of boxes(list)) box.checked = (known[list] ?? []).includes(box.value);
  }
}

function wishes() {
  /** @param {string} list */
  const values = (list) => ticked(list).map((box) => box.value);
  return { games: values("games"), players: values("players"), clocks: values("clocks") };
}

/**
 * Send someone without a profile to make one, and come back.
 * @param {unknown} error
 */
function profileFirst(error) {
  if (!(error instanceof RequestError && error.error === "no-profile")) throw error;
  location.assign("/me?next=/pair");
}

async function ask() {
  const wanted = wishes();
  if (!wanted.games.length || !wanted.players.length || !wanted.clocks.length) {
    toast(_("Tick at least one game, one number of players and one clock."));
    return;
  }
  localStorage.setItem(WISHES, JSON.stringify(wanted));
  rememberName(name.value.trim());
  const players = wanted.players.map(Number);
  /** @type {PairingView} */
  const view = await post("/api/pairing", {
    ...wanted,
    players,
    rated: rated?.checked ?? false,
    name: name.value.trim(),
  });
  since = Date.now();
  follow(view, ++run);
}

/**
 * @param {PairingView} view
 * @param {number} mine
 */
function follow(view, mine) {
  if (mine !== run) return;
  if (view.url) {
    location.assign(view.url);
    return;
  }
  show(view.waits);
  if (!view.waits) {
    toast(_("No one has come yet. Tick more choices, or start a table and invite someone."));
    return;
  }
  part("people").textContent = _("People waiting: {count}", { count: view.people });
  part("wanted").textContent = ["games", "players", "clocks"]
    .map((list) =>
      ticked(list)
        .map((box) => box.closest("label")?.textContent?.trim())
        .join(", "),
    )
    .join(" · ");
  wait(mine);
}

/** @param {number} mine */
async function wait(mine) {
  try {
    follow(await get(`/api/pairing?wait=${WAIT_SECONDS}`), mine);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    setTimeout(() => mine === run && wait(mine), PAUSE);
  }
}

/** @param {boolean} waits */
function show(waits) {
  if (waiting.hidden === !waits) return;
  waiting.hidden = !waits;
  form.hidden = waits;
  if (waits) part("cancel").focus();
}

function tick() {
  if (waiting.hidden) return;
  const seconds = Math.floor((Date.now() - since) / 1000);
  part("waited").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(() => ask().catch(profileFirst));
});
form.addEventListener("change", limitPlayers);
part("cancel").addEventListener("click", () =>
  attempt(async () => {
    run += 1;
    await post("/api/pairing/cancel");
    show(false);
  }),
);
// Nobody shall be paired with a page that is gone.
addEventListener("pagehide", () => {
  if (waiting.hidden) return;
  run += 1;
  waiting.hidden = true;
  form.hidden = false;
  fetch("/api/pairing/cancel", {
    method: "POST",
    keepalive: true,
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
});
setInterval(tick, 1000);
restore();
limitPlayers();
