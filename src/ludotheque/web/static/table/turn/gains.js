// @ts-check
// Points and money that someone gains or pays travel between the board and the card of the player: coins from where it
// was earned, and the amount in the player's colour. A click ends all of it. While event cards tell of it, it waits.

import { centreOf } from "../../board/camera.js";
import { make, part } from "../../lib/dom.js";
import { isStill, pace } from "../../lib/motion.js";
import { changeText, scoreChanges, scoreTextsOf } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../board/camera.js").Point} Point */
/** @typedef {{change: number, text: string, colour: string}} Change of the score of a seat */

const TRAVEL = 900; // milliseconds at the usual pace
const BETWEEN = 90; // from one coin to the next
const MOST_COINS = 5;

export class Gains {
  /** @type {View | null} */
  #view = null;

  /** @param {import("../../board/board.js").Board} board */
  constructor(board) {
    this.board = board;
  }

  /**
   * @param {View} view
   * @param {boolean} isTold whether cards over the board tell what happened
   */
  follow(view, isTold) {
    const before = this.#view;
    if (before && isTold) return;
    this.#view = view;
    if (!before || before.version === view.version || before.viewer !== view.viewer || isStill()) return;
    const texts = scoreTextsOf(view);
    const cards = view.cards.filter(({ ply }) => ply > before.ply);
    const changes = asTold(scoreChanges(before, view), cards, view.seats).map((change, seat) => {
      return { change, text: changeText(change, texts[seat] ?? ""), colour: view.seats[seat]?.colour ?? "" };
    });
    const places = cards.flatMap((card) => card.places);
    if (changes.some(({ change }) => change !== 0)) requestAnimationFrame(() => this.#travelAll(changes, places));
  }

  /**
   * @param {Change[]} changes by seat
   * @param {string[]} places the pieces where it was earned; without any, the middle of the board
   */
  #travelAll(changes, places) {
    const middle = centreOf(part("board").getBoundingClientRect());
    const scores = [...part("cards").querySelectorAll(".card .score")].map((score) => score.getBoundingClientRect());
    const sources = this.board.middlesOf(places);
    scores.forEach((score, seat) => {
      const change = changes[seat];
      const isHidden = score.width === 0; // as those of a phone after the game
      if (isHidden || !change?.change || !change.colour) return;
      this.#pay(change, sources.length > 0 ? sources : [middle], { x: score.left, y: score.top });
    });
  }

  /**
   * @param {Change} change
   * @param {Point[]} sources
   * @param {Point} score
   */
  #pay({ change, text, colour }, sources, score) {
    const coins = Math.min(MOST_COINS, Math.abs(change));
    for (let coin = 0; coin < coins; coin += 1) {
      const source = sources[coin % sources.length] ?? score;
      travel(
        make("span", { class: "coin", "aria-hidden": "true" }),
        change > 0 ? [source, score] : [score, source],
        coin,
      );
    }
    const note = make("span", { class: `gain colour-${colour}`, "aria-hidden": "true" }, text);
    const [source = score] = sources;
    travel(note, change > 0 ? [source, score] : [score, source], coins);
  }
}

/**
 * The changes of the scores, none smaller than what cards say that the seat has gained: a score may have counted before
 * what is gained only now.
 * @param {number[]} changes by seat
 * @param {Pick<import("../../wire").RenderedEventCard, "rows">[]} cards
 * @param {Pick<import("../../wire").SeatView, "name">[]} seats
 */
export function asTold(changes, cards, seats) {
  const rows = cards.flatMap((card) => card.rows).filter(({ amount }) => amount.startsWith("+"));
  return changes.map((change, seat) => {
    const own = rows.filter(({ mark }) => mark.text === seats[seat]?.name);
    const told = own.reduce((sum, { amount }) => sum + Number(amount.replace(/\D/g, "")), 0);
    return own.length > 0 ? Math.max(change, told) : change;
  });
}

/**
 * Move something over the page, and take it away then.
 * @param {HTMLElement} thing
 * @param {Point[]} way
 * @param {number} turn things start one after the other
 */
function travel(thing, way, turn) {
  document.body.append(thing);
  const animation = thing.animate(
    way.map(({ x, y }, step) => ({ transform: place(x, y), opacity: step === 0 ? 1 : 0.4 })),
    { duration: TRAVEL * pace(), delay: turn * BETWEEN * pace(), easing: "ease-in-out", fill: "backwards" },
  );
  const end = () => animation.finish();
  document.addEventListener("pointerdown", end, { once: true });
  animation.finished.then(() => {
    document.removeEventListener("pointerdown", end);
    thing.remove();
  });
}

/**
 * @param {number} x
 * @param {number} y
 */
function place(x, y) {
  return `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
}
