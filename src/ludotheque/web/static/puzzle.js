// @ts-check
// A puzzle: one try shows what the move is worth against the best one. A wrong move is played on to show why; the
// solution is explained like a hint, with the idea behind it.

import "./preferences.js";
import { WORSE } from "./board/ghosts.js";
import { get, post } from "./lib/api.js";
import { isFocused, make, part } from "./lib/dom.js";
import { unbroken } from "./lib/text.js";
import { attempt } from "./lib/toast.js";
import { _ } from "./lib/translate.js";
import { HintList } from "./play/hint_list.js";
import { PuzzleBoard } from "./study/puzzle_board.js";
import { Refutation } from "./study/refutation.js";
import { BrowserSolving, loadSolving, nextPuzzle, ratingOf } from "./study/solving.js";

/** @typedef {import("./wire").PuzzleAnswer} PuzzleAnswer */
/** @typedef {import("./wire").PuzzleEntry} PuzzleEntry */

class PuzzlePage {
  #playArea = part("play-area");
  #puzzle = new PuzzleBoard(() => true, true);
  #solution = new HintList(this.#puzzle.board);
  #refutation = new Refutation(this.#puzzle, part("follows"));
  #again = part("again", HTMLButtonElement);
  #why = part("why", HTMLButtonElement);
  #solve = part("solve", HTMLButtonElement);
  #next = part("next", HTMLButtonElement);
  #playOn = part("play-on", HTMLButtonElement);
  #address = this.#playArea.dataset.address ?? "";
  #game = this.#playArea.dataset.game ?? "";
  #day = this.#playArea.dataset.day ?? "";
  /** @type {PuzzleAnswer | null} */
  #answer = null;
  /** @type {import("./study/solving.js").Solving} */
  #solving = new BrowserSolving();

  async begin() {
    this.#puzzle.on("answer", (answer) => this.#judge(answer));
    this.#solution.on("look", (move) => this.#puzzle.board.ghosts.show("preview", move ? [move] : []));
    this.#again.addEventListener("click", () => this.#ask());
    this.#why.addEventListener("click", () => this.#playLine(true));
    this.#solve.addEventListener("click", () => {
      if (this.#answer) this.#showSolution(this.#answer, _("1: the best move."));
    });
    this.#next.addEventListener("click", () => attempt(() => this.#openNext()));
    this.#playOn.addEventListener("click", () => attempt(() => this.#openTable()));
    this.#solving = await loadSolving(); // before the first try, which it counts
    this.#showRating(0);
    const { backdrop = "", styles = "" } = this.#playArea.dataset;
    await this.#puzzle.open(this.#address, backdrop, styles);
    this.#showButtons("asking");
  }

  get #rated() {
    const { puzzle: id = "", rating } = this.#playArea.dataset;
    return { id, rating: Number(rating) };
  }

  #ask() {
    this.#refutation.stop();
    part("verdict").hidden = true;
    this.#solution.show([]);
    this.#puzzle.ask();
    this.#showButtons("asking");
  }

  /** @param {PuzzleAnswer} answer */
  #judge(answer) {
    this.#answer = answer;
    const tried = { game: this.#game, puzzle: this.#rated, day: this.#day, isRated: true };
    this.#showRating(this.#solving.count(tried, answer));
    if (answer.is_best) this.#solved(answer);
    else this.#missed(answer);
  }

  /** @param {PuzzleAnswer} answer */
  #solved(answer) {
    this.#showSolution(answer, _("Solved! This is the best move."));
  }

  /**
   * Mark the move on the board, say what it costs without telling the best one, and play on to show why.
   * @param {PuzzleAnswer} answer
   */
  #missed({ tried, is_known, moves: [best, other] }) {
    const [won, lost] = [hundredths(best?.share), hundredths(other?.share)];
    const values = { tried: lost, best: won, cost: won - lost }; // as the reader subtracts
    const sentence = is_known
      ? _("From here this move wins {tried} of 100 games, the best one {best}: it costs you {cost}.", values)
      : _(
          "The bots hardly looked at this move: it seems much worse than the best, which wins {best} of 100 games from here.",
          values,
        );
    this.#showVerdict([sentence], false);
    this.#showButtons("missed");
    this.#puzzle.board.showHints([{ ghost: tried, number: "✗", colour: WORSE }]); // last, for the board has its size now
    this.#playLine(false);
  }

  /** @param {boolean} atOnce */
  #playLine(atOnce) {
    if (this.#answer?.line) this.#refutation.play(this.#answer.line, atOnce);
  }

  /**
   * @param {PuzzleAnswer} answer
   * @param {string} heading
   */
  #showSolution({ is_best, is_known, moves, idea }, heading) {
    this.#refutation.stop();
    this.#puzzle.show(this.#puzzle.scene);
    const what = is_best ? _("Number 2 is the next best.") : is_known ? _("Number 2 is your move.") : "";
    this.#showVerdict([moves.length > 1 ? `${heading} ${what}` : heading, idea], true);
    this.#showButtons("solved");
    this.#solution.show(moves);
  }

  /**
   * @param {string[]} sentences
   * @param {boolean} isRight
   */
  #showVerdict(sentences, isRight) {
    const verdict = part("verdict");
    verdict.classList.toggle("right", isRight);
    verdict.replaceChildren(...sentences.filter(Boolean).map((sentence) => make("p", {}, unbroken(sentence))));
    verdict.hidden = false;
  }

  /** @param {"asking" | "missed" | "solved"} state */
  #showButtons(state) {
    const hadFocus = this.#puzzle.prompt.takeFocus() || isFocused(".asking");
    this.#again.hidden = state !== "missed";
    this.#why.hidden = state !== "missed" || !this.#answer?.line;
    this.#solve.hidden = state !== "missed";
    this.#next.hidden = state !== "solved";
    this.#playOn.hidden = state !== "solved";
    this.#playArea.dataset.state = state;
    const first = [this.#again, this.#next].find((button) => !button.hidden);
    if (hadFocus) (first ?? part("asks")).focus({ preventScroll: true });
  }

  /** @param {number} change of the solver's rating by this try */
  #showRating(change) {
    const { rating, tries, run } = this.#solving.solver(this.#game);
    const days = this.#day ? this.#solving.days(this.#day) : 0;
    const mine = change ? `${rating} (${change > 0 ? "+" : "−"}${Math.abs(change)})` : rating;
    const facts = [
      _("Puzzle: {rating}", { rating: ratingOf(this.#rated, this.#solving) }),
      tries > 0 ? _("You: {rating}", { rating: mine }) : "",
      run > 1 ? _("Solved in a row: {count}", { count: run }) : "",
      days > 0 ? _("Days in a row: {days}", { days }) : "",
    ];
    part("rating").textContent = facts.filter(Boolean).join(" · ");
  }

  async #openNext() {
    /** @type {PuzzleEntry[]} */
    const entries = await get(this.#playArea.dataset.entries ?? "");
    const next = nextPuzzle(entries, this.#game, this.#solving, this.#rated.id);
    if (next) location.assign(`/puzzles/${this.#game}/${next.id}`);
  }

  async #openTable() {
    /** @type {import("./wire").Opened} */
    const opened = await post(`${this.#address}/play`);
    location.assign(opened.url);
  }
}

/** @param {number} [share] */
function hundredths(share = 0) {
  return Math.round(100 * share);
}

attempt(() => new PuzzlePage().begin());
