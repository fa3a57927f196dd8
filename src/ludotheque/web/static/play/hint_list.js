// @ts-check
// Moves with what to expect of them and why: numbered on the board and in a list. For hints, and for the solutions of
// puzzles.
//
// Event: "look" (the move that is pointed at, or null).

import { Sentences } from "../board/sentence.js";
import { button, make, part } from "../lib/dom.js";
import { Emitter } from "../lib/emitter.js";
import { unbroken } from "../lib/text.js";
import { _ } from "../lib/translate.js";

/** @typedef {import("../wire").HintMove} HintMove */

/** @extends {Emitter<{look: HintMove | null}>} */
export class HintList extends Emitter {
  #host = part("hinted");
  #sentences;

  /** @param {import("../board/board.js").Board} board */
  constructor(board) {
    super();
    this.board = board;
    this.#sentences = new Sentences(board);
  }

  /** @param {HintMove[]} moves the best first; none hides the list */
  show(moves) {
    const read = [...this.#host.children].findIndex((line) => line.contains(document.activeElement));
    this.#host.replaceChildren(...moves.map((move) => this.#line(move)));
    this.#host.hidden = moves.length === 0;
    this.#host.children[read]?.querySelector("button")?.focus({ preventScroll: true });
    this.board.showHints(moves.map(({ ghost }, place) => ({ ghost, number: place + 1 }))); // the board has its size now
  }

  /** @param {HintMove} move */
  #line(move) {
    const look = () => this.emit("look", move);
    const leave = () => this.emit("look", null);
    const said = button("", look, { class: "quiet", onfocus: look, onblur: leave });
    said.append(...this.#sentences.contentOf({ text: move.words, drawn: move.drawn }));
    return make(
      "li",
      { onpointerenter: look, onpointerleave: leave },
      said,
      make("span", { class: "expects" }, expectation(move)),
      make("span", { class: "dim" }, unbroken(move.reason)),
    );
  }
}

/**
 * The end of the game that a move leads to.
 * @param {number} share of the win
 * @param {string} result
 */
function certainty(share, result) {
  if (share === 1) return _("Worked out to the end of the game: it wins, with {result}.", { result });
  if (share === 0) return _("Worked out to the end of the game: it loses, with {result}.", { result });
  return _("Worked out to the end of the game: it shares the win, with {result}.", { result });
}

/** @param {HintMove} move */
function expectation({ share, margin, result, result_margin, exact, certain }) {
  const percent = Math.round(100 * share);
  if (certain) return unbroken(certainty(share, result));
  if (exact) {
    const words = _(
      "Worked out to the end of the round. It then wins about {percent} of 100 games, with about {result}.",
      {
        percent,
        result,
      },
    );
    return unbroken(words);
  }
  const sentence = _("From here it wins {percent} of 100 games (± {error}), with about {result} (± {off}).", {
    percent,
    result,
    error: Math.max(1, Math.round(100 * margin)),
    off: Math.max(1, Math.round(result_margin)),
  });
  return unbroken(sentence);
}
