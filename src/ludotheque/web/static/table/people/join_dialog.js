// @ts-check
// The question to a newcomer: who invites them to what, their name, and which of the free colours they want.

import { openDialog } from "../../lib/dialog.js";
import { button, make } from "../../lib/dom.js";
import { rememberedName, rememberName } from "../../lib/my_name.js";
import { _ } from "../../lib/translate.js";
import { timeText } from "./clocks.js";

/** @typedef {{seat: number, colour: string, colour_name: string, letter: string, name?: string}} FreeSeat */
/** @typedef {Pick<import("../../wire").Invitation, "host" | "others" | "clock" | "minutes" | "rated">} Offer */
/** @typedef {{answer: "join", seat: number, name: string} | {answer: "watch" | "decline" | ""}} Answer */

const NAME_LENGTH = 40;

/**
 * Ask for a name and a colour.
 * @param {FreeSeat[]} free the seats to choose from; the first is suggested
 * @param {Offer | null} offer of the person who invites; none where nobody does
 * @param {boolean} isRated
 * @returns {Promise<Answer>}
 */
export function askNewcomer(free, offer, isRated) {
  const name = make("input", {
    name: "name",
    required: true,
    maxlength: NAME_LENGTH,
    autocomplete: "nickname",
    value: rememberedName() || free[0]?.name || "",
  });
  const form = make(
    "form",
    { method: "dialog" },
    make("h2", {}, offer ? invitationText(offer) : _("Join the table")),
    ...(offer ? offered(offer) : []),
    isRated ? make("p", { class: "dim" }, ratedText()) : null,
    make("label", { class: "line" }, make("span", {}, _("Your name")), name),
    make(
      "fieldset",
      { class: "colours", hidden: free.length === 1 },
      make("legend", {}, _("Your colour")),
      ...free.map(colourField),
    ),
    make(
      "div",
      { class: "row end" },
      ...(offer ? [answerButton("decline", _("No, thanks")), answerButton("watch", _("Watch"))] : [cancelButton()]),
      make("button", { class: "main", value: "join" }, _("Sit down")),
    ),
  );
  const dialog = openDialog({ class: "setup join-dialog", "aria-label": _("Join the table") }, form);
  name.select();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(answerOf(dialog, form, name.value.trim())));
  });
}

/**
 * Ask whether someone would like to watch, since all seats are taken.
 * @param {Offer} offer
 * @returns {Promise<Answer>}
 */
export function askToWatch(offer) {
  const watch = make("button", { class: "main", value: "watch" }, _("Watch"));
  const form = make(
    "form",
    { method: "dialog" },
    make("h2", {}, invitationText(offer)),
    make("p", {}, _("All seats are taken now, but you can watch.")),
    ...offered(offer),
    make("div", { class: "row end" }, cancelButton(_("No, thanks")), watch),
  );
  const dialog = openDialog({ class: "setup join-dialog", "aria-label": _("Join the table") }, form);
  watch.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve({ answer: dialog.returnValue === "watch" ? "watch" : "" }));
  });
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {Answer}
 */
function answerOf({ returnValue }, form, name) {
  if (returnValue === "watch" || returnValue === "decline") return { answer: returnValue };
  if (returnValue !== "join") return { answer: "" };
  rememberName(name);
  return { answer: "join", seat: Number(new FormData(form).get("seat")), name };
}

/**
 * A button that leaves the dialog, also where a field is not filled in.
 * @param {"watch" | "decline"} value
 * @param {string} label
 */
function answerButton(value, label) {
  return button(label, (event) => closeWith(event, value), { class: "quiet" });
}

function cancelButton(label = _("Cancel")) {
  return button(label, (event) => closeWith(event, ""), { class: "quiet" });
}

/**
 * @param {Event} event
 * @param {string} value
 */
function closeWith({ currentTarget }, value) {
  if (currentTarget instanceof Element) currentTarget.closest("dialog")?.close(value);
}

function ratedText() {
  return _("Rated: the result changes our ratings. If you have no profile, you get one when you sit down.");
}

/** @param {Offer} offer */
function invitationText({ host }) {
  const game = playArea()?.dataset.title ?? "";
  return host ? _("{name} invites you to {game}", { name: host, game }) : _("You are invited to {game}", { game });
}

/**
 * Players, length, and the rules in one minute.
 * @param {Offer} offer
 */
function offered({ others, clock, minutes = 0 }) {
  const { game } = playArea()?.dataset ?? {};
  const facts = [
    others.length > 0 ? _("With {names}", { names: others.join(", ") }) : "",
    clock ? clockText(clock) : "",
    minutes > 0 ? _("about {minutes} min", { minutes }) : "",
  ];
  const rules = make("a", { href: `/rules/${game}`, target: "_blank", rel: "noopener" }, _("Rules"));
  const summary = document.querySelector("template[data-part=one-minute]");
  const known = facts.filter(Boolean).join(" · ");
  return [
    known ? make("p", { class: "dim" }, known) : null,
    summary instanceof HTMLTemplateElement
      ? make("div", { class: "one-minute", tabindex: 0 }, summary.content.cloneNode(true), make("p", {}, rules))
      : null,
  ];
}

/** @param {NonNullable<Offer["clock"]>} rule */
function clockText({ kind, seconds, increment = 0 }) {
  const time = timeText(seconds);
  if (kind !== "game") return _("Clock: {time} per move", { time });
  return increment > 0
    ? _("Clock: {time} per player, each move adds {increment} s", { time, increment })
    : _("Clock: {time} per player", { time });
}

function playArea() {
  /** @type {HTMLElement | null} */
  const area = document.querySelector("[data-part=play-area]");
  return area;
}

/**
 * @param {FreeSeat} seat
 * @param {number} place
 */
function colourField(seat, place) {
  const radio = make("input", { type: "radio", name: "seat", value: seat.seat, checked: place === 0 });
  return make("label", { class: "colour" }, radio, swatch(seat), make("span", {}, seat.colour_name));
}

/**
 * A colour with its letter.
 * @param {{colour: string, letter: string}} seat
 */
function swatch({ colour, letter }) {
  return make("span", { class: `chip colour-${colour}`, "aria-hidden": "true" }, letter);
}
