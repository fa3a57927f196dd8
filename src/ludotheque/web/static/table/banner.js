// @ts-check
// Whose turn it is and what they have to do; after the game, who won. Said aloud when it concerns the reader. While an
// earlier position is on the board, which one, and nothing of what came later but that it is the reader's turn.

import { make, part } from "../lib/dom.js";
import { _ } from "../lib/translate.js";
import { headline, reasonText } from "./after/result.js";
import { CHANCE, isMyTurn, nameOf, playerName } from "./view.js";

/** @typedef {import("./view.js").View} View */

export class Banner {
  #host = part("banner");
  #spoken = part("spoken");
  #left = ""; // what is left to decide after a pick, shown instead of the whole question
  #version = -1; // of the position in which that is asked

  /** @param {View} view */
  show(view) {
    const isMine = isMyTurn(view);
    const left = isMine && view.version === this.#version ? this.#left : "";
    this.#write(left || turnText(view), isMine, isMine || view.over);
  }

  /**
   * The part of the question left after a pick of this turn; "" for the whole question.
   * @param {View} view
   * @param {string} left
   */
  showFollowUp(view, left) {
    const hasChanged = left !== this.#left;
    this.#left = left;
    this.#version = view.version;
    if (left || hasChanged) this.show(view);
  }

  /** @param {string} move the only one, which is about to be made */
  showForced(move) {
    this.#write(_("Your only move: {move}. It is made for you.", { move }), true, true);
  }

  /** The game is over, and the cards of its last events are shown before the result. */
  showEnding() {
    this.#write(_("The game is over"), false, true);
  }

  /** A move is on its way, and takes longer than usual. */
  showSending() {
    const text = navigator.onLine ? _("Sending your move…") : _("You are offline: your move waits for the connection.");
    this.#write(text, false, true);
  }

  /**
   * @param {View} view the present
   * @param {number} at the earlier ply on the board
   */
  showPast(view, at) {
    const isMine = isMyTurn(view);
    const text = _("Viewing move {at} of {now}", { at, now: view.last_ply });
    this.#write(isMine ? _("{past}. It is your turn.", { past: text }) : text, isMine, false);
  }

  /**
   * @param {import("../board/game_line.js").GameLine} line
   * @param {number} at the ply on the board
   */
  showLine(line, at) {
    const [move, moves] = [Math.max(0, at - line.start), line.length];
    this.#write(_("Better line, not played: move {move} of {moves}", { move, moves }), false, false);
  }

  /**
   * @param {string} text
   * @param {boolean} isMine
   * @param {boolean} aloud
   */
  #write(text, isMine, aloud) {
    this.#host.classList.toggle("mine", isMine);
    if (this.#host.textContent === text) return;
    this.#host.textContent = text;
    if (aloud) this.#spoken.append(make("p", {}, text));
  }
}

/** @param {View} view */
function turnText(view) {
  if (view.over) return endText(view);
  if (view.closed) return _("This table is closed.");
  if (view.to_move === CHANCE) return view.dice?.state === "open" ? _("Waiting for players") : _("Drawing…");
  const name = nameOf(view, view.to_move);
  if (isMyTurn(view)) return myTurnText(view, view.mine.length > 1 ? _("Your turn, {name}", { name }) : _("Your turn"));
  const seat = view.seats[view.to_move];
  if (seat?.stopped) return seat.stopped;
  if (seat?.who === "bot") return _("{name} is thinking", { name: playerName(seat) });
  return seat?.taken ? _("{name}'s turn", { name }) : _("Waiting for a player to take the seat of {name}", { name });
}

/** @param {View} view */
function endText(view) {
  const [heading, reason] = [headline(view), reasonText(view)];
  return heading === reason ? heading : `${heading} – ${reason}`;
}

/**
 * While the screen waits to be handed over, only whose turn it is.
 * @param {View} view
 * @param {string} turn
 */
function myTurnText(view, turn) {
  const { asks } = view.scene;
  return asks && view.viewer === view.to_move ? _("{turn}: {asks}", { turn, asks }) : turn;
}
