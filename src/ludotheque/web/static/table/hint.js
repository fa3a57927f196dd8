// @ts-check
// The button that asks a bot for a hint, and its answer: the best few moves, numbered on the board and in a list, each
// with what to expect of it and why. It stays until the position changes.
//
// Event: "look" (the action of the hint that is pointed at, or null).

import { post } from "../lib/api.js";
import { button, make, part } from "../lib/dom.js";
import { Emitter } from "../lib/emitter.js";
import { attempt } from "../lib/toast.js";
import { _ } from "../lib/translate.js";
import { tableUrl } from "./view.js";

/** @typedef {import("../wire").HintMove} HintMove */
/** @typedef {import("./view.js").View} View */

/** @extends {Emitter<{look: number | null}>} */
export class Hint extends Emitter {
  #button = part("hint", HTMLButtonElement);
  #answer = part("hinted");
  /** @type {View | null} */
  #view = null;
  /** @type {HintMove[]} */
  #moves = [];

  /** @param {import("../board/board.js").Board} board */
  constructor(board) {
    super();
    this.board = board;
    this.#button.addEventListener("click", () => this.#ask());
  }

  /** @param {View} view */
  follow(view) {
    if (this.#view?.version !== view.version) this.#moves = [];
    this.#view = view;
  }

  /**
   * Offer a hint, and show the one that was given for this position.
   * @param {boolean} isAsking whether the player has something to decide now
   */
  offer(isAsking) {
    this.#button.hidden = !isAsking;
    this.#show(isAsking ? this.#moves : []);
  }

  async #ask() {
    if (!this.#view) return;
    const { table, version, viewer: seat } = this.#view;
    this.#button.disabled = true;
    /** @type {import("../wire").Hints | null} */
    const hints = await attempt(() => post(`${tableUrl(table)}/hint`, { seat, version }));
    this.#button.disabled = false;
    if (!hints || this.#view.version !== version) return;
    this.#moves = hints.moves;
    this.#show(hints.moves);
  }

  /** @param {HintMove[]} moves */
  #show(moves) {
    if (moves.length > 0) this.board.ghosts.clear("mark");
    this.board.ghosts.show(
      "hint",
      moves.map(({ ghost }, place) => ({ ghost, number: place + 1 })),
    );
    this.#answer.replaceChildren(...moves.map((move) => this.#line(move)));
    this.#answer.hidden = moves.length === 0;
  }

  /** @param {HintMove} move */
  #line(move) {
    const look = () => this.emit("look", move.action);
    const leave = () => this.emit("look", null);
    return make(
      "li",
      { onpointerenter: look, onpointerleave: leave },
      button(move.words, look, { class: "quiet", onfocus: look, onblur: leave }),
      make("span", { class: "expects" }, expectation(move)),
      make("span", { class: "dim" }, move.reason),
    );
  }
}

/** @param {HintMove} move */
function expectation({ chance, error, result, result_error, exact }) {
  const percent = Math.round(100 * chance);
  if (exact) return _("Wins {percent} % for certain, with {result}.", { percent, result });
  return _("Wins {percent} % (± {error}), with about {result} (± {off}).", {
    percent,
    result,
    error: Math.max(1, Math.round(100 * error)),
    off: Math.max(1, Math.round(result_error)),
  });
}
