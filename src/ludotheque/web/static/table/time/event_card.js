// @ts-check
// One card over the board: title, a sentence, and a row for each player or company with what it got.

import { button, make, part } from "../../lib/dom.js";
import { isLargeScreen } from "../../lib/screen.js";
import { unbroken } from "../../lib/text.js";
import { _ } from "../../lib/translate.js";
import { chip } from "../../play/mark.js";

/** @typedef {import("../../wire").RenderedEventCard} Card */
/** @typedef {import("../../wire").RenderedCardRow} Row */
/** @typedef {import("../../board/board.js").Board} Board */
/** @typedef {{light: () => void, close: () => void, holds: (target: EventTarget | null) => boolean, isRead: boolean}} ShownCard */

/**
 * Show a card, and light its places on the board.
 * @param {Card} card
 * @param {Board} board
 * @param {() => void} onTap
 * @param {(() => void) | null} onSkip ends the others that wait too, if there are any
 * @returns {ShownCard}
 */
export function showCard(card, board, onTap, onSkip) {
  const element = cardElement(card, onTap, onSkip);
  const isSmall = isBrief(card) && !isLargeScreen();
  const host = isSmall ? besideBoard() : boardFrame();
  element.classList.toggle("brief", isSmall);
  host.append(element);
  const light = () => board.spotlight(litPlaces(card, element), !isSmall);
  light();
  element.classList.toggle("above", isBelowMiddle(board.spotlit, host));
  let isRead = false;
  element.addEventListener("pointermove", ({ movementX, movementY }) => {
    if (movementX || movementY) isRead = true; // not a mouse that rested where the card came
  });
  element.addEventListener("pointerleave", () => {
    isRead = false;
  });
  return {
    light,
    close() {
      board.spotlight(null);
      element.remove();
    },
    holds: (target) => target instanceof Node && element.contains(target),
    get isRead() {
      return isRead;
    },
  };
}

/**
 * Whether all that a card tells takes a line or two.
 * @param {Card} card
 */
export function isBrief({ text, rows }) {
  return rows.length + (text ? 1 : 0) <= 1 && rows.every(({ words }) => !words);
}

/** Where a small card of a small screen lies: over the news, which tell the same, if they are in view. */
function besideBoard() {
  const telling = part("news").parentElement;
  return telling?.checkVisibility() ? telling : boardFrame();
}

function boardFrame() {
  const frame = part("board").parentElement;
  if (!frame) throw new Error("The board has no frame.");
  return frame;
}

/**
 * @param {Card} card
 * @param {() => void} onTap
 * @param {(() => void) | null} onSkip
 */
function cardElement({ title, text, rows }, onTap, onSkip) {
  const skip = (/** @type {MouseEvent} */ event) => {
    event.stopPropagation();
    onSkip?.();
  };
  return make(
    "section",
    { class: "event-card", "data-part": "event-card", role: "dialog", "aria-label": title, onclick: onTap },
    make("h2", {}, title),
    text ? make("p", { class: "dim" }, text) : null,
    rows.length > 0 ? make("ul", {}, ...rows.map(rowElement)) : null,
    make(
      "p",
      { class: "row" },
      button(_("OK"), () => {}, { class: "small" }), // its click is the card's too
      onSkip && button(_("Skip all"), skip, { class: "quiet small" }),
    ),
  );
}

/** @param {Row} row */
function rowElement({ mark, words, amount }) {
  return make(
    "li",
    {},
    make("span", { class: "marked" }, chip(mark), mark.text),
    make("span", { class: "dim" }, unbroken(words)),
    make("strong", {}, amount),
  );
}

/**
 * The pieces to light, each with a colour: those of a row in the colour of its mark.
 * @param {Card} card
 * @param {HTMLElement} element
 * @returns {Map<string, string>}
 */
function litPlaces({ places, rows }, element) {
  /** @type {Map<string, string>} */
  const lit = new Map(places.map((place) => [place, ""]));
  const chips = [...element.querySelectorAll(".chip")];
  rows.forEach((row, number) => {
    const drawn = chips[number];
    const colour = drawn ? getComputedStyle(drawn).backgroundColor : "";
    for (const place of row.places) lit.set(place, colour);
  });
  return lit;
}

/**
 * Whether most of what is lit is in the lower half of the board, where a card would cover it.
 * @param {Element[]} lit
 * @param {Element} host
 */
function isBelowMiddle(lit, host) {
  const { top, height } = host.getBoundingClientRect();
  const below = lit.filter((piece) => {
    const box = piece.getBoundingClientRect();
    return box.top + box.height / 2 > top + height / 2;
  });
  return below.length * 2 > lit.length;
}
