// @ts-check
// A puzzle: one try shows what the move is worth against the best one; the solution is explained like a hint.

import { Board } from "./board/board.js";
import { WORSE } from "./board/ghosts.js";
import { get, post } from "./lib/api.js";
import { isFocused, make, part } from "./lib/dom.js";
import { attempt } from "./lib/toast.js";
import { _ } from "./lib/translate.js";
import { HintList } from "./play/hint_list.js";
import { PieceLabel } from "./play/piece_label.js";
import { Prompt } from "./play/prompt.js";
import { scoreTable } from "./play/scores.js";
import { showLog } from "./study/log.js";
import { previewMoves } from "./study/preview.js";
import { isSolved, remember, streak } from "./study/streak.js";
import { tryMoves } from "./study/try_moves.js";

/** @typedef {import("./wire").StudyBoard} StudyBoard */
/** @typedef {import("./wire").PuzzleAnswer} PuzzleAnswer */

class PuzzlePage {
  #playArea = part("play-area");
  #board = new Board(part("board"));
  #prompt = new Prompt(this.#board, () => true);
  #solution = new HintList(this.#board);
  #again = part("again", HTMLButtonElement);
  #solve = part("solve", HTMLButtonElement);
  #playOn = part("play-on", HTMLButtonElement);
  #address = this.#playArea.dataset.address ?? "";
  #day = this.#playArea.dataset.day ?? "";
  /** @type {PuzzleAnswer | null} */
  #answer = null;
  /** @type {StudyBoard | null} */
  #position = null;

  async begin() {
    const { backdrop = "", styles = "" } = this.#playArea.dataset;
    await this.#board.load(backdrop, styles);
    new PieceLabel(this.#board);
    this.#board.gestures.listenToButtons();
    this.#solution.on("look", (move) => this.#board.ghosts.show("preview", move ? [move] : []));
    tryMoves(this.#prompt, (action) => this.#try(action));
    previewMoves(this.#prompt, (action) => post(`${this.#address}/preview`, { action }));
    this.#again.addEventListener("click", () => this.#ask());
    this.#solve.addEventListener("click", () => {
      if (this.#answer) this.#showSolution(this.#answer, _("1: the best move."));
    });
    this.#playOn.addEventListener("click", () => attempt(() => this.#openTable()));
    this.#markSolved();
    this.#position = await get(this.#address);
    this.#ask();
  }

  #ask() {
    if (!this.#position) return;
    const { scene, log, choices } = this.#position;
    this.#board.show(scene);
    part("tables").replaceChildren(...scene.tables.map((table) => scoreTable(table)));
    showLog(log);
    part("asks").textContent = scene.asks;
    part("verdict").hidden = true;
    this.#solution.show([]);
    this.#prompt.ask(choices);
    this.#prompt.askAgain();
    this.#showButtons("asking");
  }

  /** @param {number} action */
  async #try(action) {
    /** @type {PuzzleAnswer} */
    const answer = await post(`${this.#address}/try`, { action });
    this.#answer = answer;
    this.#prompt.ask([]);
    if (answer.is_best) this.#solved(answer);
    else this.#missed(answer);
  }

  /** @param {PuzzleAnswer} answer */
  #solved(answer) {
    remember(this.#playArea.dataset.puzzle ?? "", this.#day);
    this.#markSolved();
    this.#showSolution(answer, _("Solved! This is the best move."));
  }

  /**
   * Mark the move on the board, and say what it is worth without telling the best one.
   * @param {PuzzleAnswer} answer
   */
  #missed({ tried, is_known, moves: [best, other] }) {
    const values = { tried: percent(other?.share), best: percent(best?.share) };
    const sentence = is_known
      ? _("This move wins {tried}; the best one wins {best}.", values)
      : _("The searches gave this move hardly any time: it looks much worse than the best, which wins {best}.", values);
    this.#showVerdict(sentence, false);
    this.#showButtons("missed");
    this.#board.showHints([{ ghost: tried, number: "✗", colour: WORSE }]); // last, for the board has its size now
  }

  /**
   * @param {PuzzleAnswer} answer
   * @param {string} heading
   */
  #showSolution({ is_best, is_known, moves }, heading) {
    const what = is_best ? _("2: the next best.") : is_known ? _("2: your move.") : "";
    this.#showVerdict(moves.length > 1 ? `${heading} ${what}` : heading, true);
    this.#showButtons("solved");
    this.#solution.show(moves);
  }

  /**
   * @param {string} sentence
   * @param {boolean} isRight
   */
  #showVerdict(sentence, isRight) {
    const verdict = part("verdict");
    verdict.classList.toggle("right", isRight);
    verdict.replaceChildren(make("p", {}, sentence));
    verdict.hidden = false;
  }

  /** @param {"asking" | "missed" | "solved"} state */
  #showButtons(state) {
    const hadFocus = this.#prompt.takeFocus() || isFocused(".asking");
    this.#again.hidden = state !== "missed";
    this.#solve.hidden = state !== "missed";
    this.#playOn.hidden = state !== "solved";
    this.#playArea.dataset.state = state;
    const first = [this.#again, this.#playOn].find((button) => !button.hidden);
    if (hadFocus) (first ?? part("asks")).focus({ preventScroll: true });
  }

  #markSolved() {
    const days = this.#day ? streak(this.#day) : 0;
    part("streak").textContent = days > 0 ? `· ${_("Days in a row: {days}", { days })}` : "";
    /** @type {NodeListOf<HTMLElement>} */
    const links = document.querySelectorAll("[data-solved]");
    for (const link of links) {
      link.classList.toggle("solved", isSolved((link.dataset.solved ?? "").split("/").at(-1) ?? ""));
    }
  }

  async #openTable() {
    /** @type {import("./wire").Opened} */
    const opened = await post(`${this.#address}/play`);
    location.assign(opened.url);
  }
}

/** @param {number} [share] */
function percent(share = 0) {
  return `${Math.round(100 * share)}\u00a0%`;
}

attempt(() => new PuzzlePage().begin());
