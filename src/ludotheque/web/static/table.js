// The page of a table: joins it, shows it, and lets its people play.

import { get, post } from "./api.js";
import { Asking } from "./asking.js";
import { Attention } from "./attention.js";
import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { button, make, part } from "./dom.js";
import { Moment } from "./moment.js";
import { People } from "./people.js";
import { headline, showResult } from "./result.js";
import { Review } from "./review.js";
import { scoreTable, standing } from "./scores.js";
import { Timeline } from "./timeline.js";
import { toast } from "./toast.js";
import { _ } from "./words.js";

const CHANCE = -1;
const room = part("room").dataset;
const url = `/api/tables/${room.table}`;
const board = new Board(part("board"));
const connection = new Connection(room.table);
const people = new People(room.table);
const timeline = new Timeline(room.table);
const moment = new Moment(room.table, timeline);
const review = new Review(room.table, timeline);
const attention = new Attention(room.title);
const askFirst = part("ask-first");
const asking = new Asking(part("question"), board, () => askFirst.checked);
const previews = new Map(); // action -> promise of what it would do, at this version

let view = null;
let laying = null; // the promise of the board
let looked = null; // the action whose preview is wanted

// Joining.

async function begin() {
  if (location.hash.length > 1) {
    const secret = location.hash.slice(1);
    history.replaceState(null, "", location.pathname + location.search);
    await post(`${url}/join`, { secret }).catch((error) => toast(error.message));
  }
  connection.open();
  if (room.admits) layBoard(); // or as soon as there is something to see
}

/** Put the board down, once; if that fails, the next view tries again. */
function layBoard() {
  laying ??= board.lay(room.backdrop, room.styles).catch((error) => {
    laying = null;
    toast(error.message);
  });
  return laying;
}

// Showing.

function show(next) {
  if (view?.version !== next.version) {
    previews.clear();
    tellHint("");
  }
  view = next;
  layBoard();
  timeline.follow(view);
  people.show(view);
  if (timeline.at === null) showNow();
  else tellTurn();
  if (view.over) part("tables").before(part("summary-fold")); // now it is what people come for
  showResult(view);
  moment.show(view);
  review.show(view);
  showUndo();
  showDice();
  handOver();
  attention.turn(isMyTurn());
}

function showNow() {
  setAskFirst();
  paint(view);
  tellTurn();
  asking.ask(view.choices);
  part("hint").hidden = view.choices.length === 0;
  tellState();
}

function showPast(past) {
  asking.ask([]);
  part("hint").hidden = true;
  paint(past);
  tellState();
}

function paint(shown) {
  board.show(shown.scene);
  part("room").classList.toggle("past", shown.ply !== shown.last_ply);
  part("tables").replaceChildren(...shown.scene.tables.map((table) => scoreTable(table, shown)));
  standing(part("standing"), shown);
  const told = shown.scene.pieces.filter((piece) => piece.label);
  part("told").replaceChildren(...told.map((piece) => make("li", {}, piece.label)));
}

/** For styles, and for whoever waits: `asking`, `waiting`, `past` or `over`; `gone` where there is no table. */
function tellState() {
  const isPast = timeline.at !== null;
  room.state = isPast ? "past" : view.over ? "over" : view.choices.length > 0 ? "asking" : "waiting";
  room.version = view.version;
}

function isMyTurn() {
  return !view.over && view.mine.includes(view.to_move);
}

function tellTurn() {
  const banner = part("banner");
  const mine = isMyTurn();
  banner.classList.toggle("mine", mine);
  const words = turnInWords(mine);
  if (banner.textContent === words) return;
  banner.textContent = words;
  if (mine || view.over) part("spoken").append(make("p", {}, words));
}

function turnInWords(mine) {
  if (view.over) return headline(view);
  if (view.to_move === CHANCE) return _("A draw is made.");
  const seat = view.seats[view.to_move];
  if (mine) return askedInWords(view.mine.length > 1 ? _("Your turn, {name}", { name: seat.name }) : _("Your turn"));
  if (seat.who === "bot") return _("{name} is thinking", { name: seat.name });
  return seat.taken ? _("It is the turn of {name}", { name: seat.name }) : _("Waiting for somebody to sit down as {name}", { name: seat.name });
}

/** Whose turn it is and what they have to do; before the curtain is drawn back, only whose. */
function askedInWords(turn) {
  const { asks } = view.scene;
  return asks && view.viewer === view.to_move ? _("{turn}: {asks}", { turn, asks }) : turn;
}

/** Ask before a move where it cannot simply be taken back, or where fingers slip; unless chosen otherwise. */
function setAskFirst() {
  const chosen = localStorage.getItem("ask-first");
  const others = view.seats.some((seat) => seat.who !== "bot" && !seat.mine);
  askFirst.checked = chosen === null ? others || matchMedia("(pointer: coarse)").matches : chosen === "on";
}

/** Their promise, while the game runs; what became of it is told with the result. */
function showDice() {
  const { dice } = view;
  part("dice").textContent = dice && !view.over ? _("Fair dice: the seed was committed to as {commitment}.", { commitment: dice.commitment }) : "";
}

// Several people at one screen.

function handOver() {
  const dialog = part("hand-over");
  const wanted = view.hand_over !== null && view.hand_over !== undefined;
  part("room").classList.toggle("covered", wanted);
  if (!wanted) return dialog.close();
  part("hand-over-name").textContent = _("It is the turn of {name}", { name: view.seats[view.hand_over].name });
  if (!dialog.open) dialog.showModal();
  return undefined;
}

part("hand-over").addEventListener("cancel", (event) => event.preventDefault());
part("hand-over-go").addEventListener("click", () => {
  const seat = view.hand_over;
  connection.looking = seat;
  connection.send({ type: "look", seat }).catch((error) => toast(error.message));
});

// Playing.

async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    toast(error.message);
    return null;
  }
}

asking.addEventListener("move", async (event) => {
  const { version, viewer } = view;
  room.state = "waiting";
  try {
    await connection.send({ type: "move", seat: viewer, version, action: event.detail });
  } catch (error) {
    toast(error.message);
    if (error.error === "stale-version") connection.send({ type: "refresh" }).catch(() => {});
    else if (view.version === version) {
      asking.again();
      tellState();
    }
  }
});

part("typed").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const text = form.elements.text.value.trim();
  const done = text && await attempt(() => connection.send({ type: "move", seat: view.viewer, version: view.version, text }));
  if (done) form.reset();
});

let lookedAway = 0;

board.addEventListener("tell", (event) => {
  const told = part("looked-at");
  told.textContent = event.detail;
  told.hidden = !event.detail;
  clearTimeout(lookedAway);
  // A finger does not leave as a pointer does, and the words must not stay in the way.
  if (matchMedia("(hover: none)").matches) lookedAway = setTimeout(() => { told.hidden = true; }, 4000);
});

asking.addEventListener("consider", async (event) => {
  looked = event.detail;
  const would = part("would");
  if (looked === null) {
    board.clearGhosts();
    would.hidden = true;
    return;
  }
  const action = looked;
  if (!previews.has(action)) {
    const query = new URLSearchParams({ seat: view.viewer, version: view.version, action });
    previews.set(action, get(`${url}/preview?${query}`).catch(() => null));
  }
  const preview = await previews.get(action);
  if (looked !== action) return;
  if (preview) board.preview(preview.changes);
  const what = preview?.lines.join(" ") ?? "";
  would.textContent = _("Preview: {what}", { what });
  would.hidden = !what;
});

part("hint").addEventListener("click", async (event) => {
  event.target.disabled = true;
  const { version, viewer: seat } = view;
  const hint = await attempt(() => post(`${url}/hint`, { seat, version }));
  event.target.disabled = false;
  if (!hint || view.version !== version) return;
  tellHint(hint.sentence || hint.label);
  board.point(hint.keys.at(-1));
  asking.show(hint);
});

/** A hint stays until the position is another one. */
function tellHint(sentence) {
  part("hinted").textContent = sentence;
  part("hinted").hidden = !sentence;
}

askFirst.addEventListener("change", () => localStorage.setItem("ask-first", askFirst.checked ? "on" : "off"));

// Taking back.

function showUndo() {
  const undo = part("undo");
  undo.hidden = !view.undo;
  undo.textContent = view.undo === "ask" ? _("Ask to undo") : _("Undo");
  const host = part("undo-request");
  const request = view.undo_request;
  host.hidden = !request;
  if (!request) return host.replaceChildren();
  const asked = request.waiting.find((seat) => view.mine.includes(seat));
  const name = view.seats[request.seat].name;
  if (asked === undefined) return host.replaceChildren(make("p", {}, _("{name} asks to undo a move; the others are asked.", { name })));
  const answer = (agree) => attempt(() => post(`${url}/undo/answer`, { seat: asked, version: view.version, agree }));
  return host.replaceChildren(make("p", {}, _("{name} asks to undo a move. Do you agree?", { name })),
    make("p", { class: "row" }, button(_("Agree"), () => answer(true), { class: "main" }), button(_("Refuse"), () => answer(false))));
}

part("undo").addEventListener("click", () => {
  const seat = view.mine.includes(view.viewer) ? view.viewer : view.mine[0];
  attempt(() => connection.send({ type: "undo", seat, version: view.version }));
});

// The connection.

function tellConnection(state) {
  const lost = part("lost");
  lost.hidden = state === "open";
  if (state === "lost") lost.textContent = _("The connection was lost; trying again…");
  if (state !== "gone") return;
  room.state = "gone";
  lost.replaceChildren(make("p", {}, _("There is no such table, or you need a link to it.")),
    make("a", { class: "button", href: "/" }, _("To the games")));
}

connection.addEventListener("view", (event) => show(event.detail));
connection.addEventListener("seats", (event) => {
  if (!view) return;
  const { seats, watchers, pace } = event.detail;
  view = { ...view, seats, watchers, pace };
  people.show(view);
  tellTurn();
});
connection.addEventListener("chat", (event) => people.hear(event.detail.messages));
connection.addEventListener("state", (event) => tellConnection(event.detail));
timeline.addEventListener("past", (event) => showPast(event.detail));
timeline.addEventListener("now", showNow);

// Zooming.

part("zoom-in").addEventListener("click", () => board.zoom(1.4));
part("zoom-out").addEventListener("click", () => board.zoom(1 / 1.4));
part("zoom-fit").addEventListener("click", () => board.fit());

begin().catch((error) => toast(error.message));
