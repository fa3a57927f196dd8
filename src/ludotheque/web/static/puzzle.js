// @ts-check
// A puzzle: one try shows what the move is worth against the best one.

import { Board } from "./board/board.js";
import { get, post } from "./lib/api.js";
import { make, part } from "./lib/dom.js";
import { attempt } from "./lib/toast.js";
import { _ } from "./lib/translate.js";
import { showLog } from "./study/log.js";
import { isSolved, remember, streak } from "./study/streak.js";
import { PieceLabel } from "./table/piece_label.js";
import { Prompt } from "./table/prompt.js";
import { scoreTable } from "./table/scores.js";

/** @typedef {import("./wire").StudyBoard} StudyBoard */
/** @typedef {import("./wire").PuzzleAnswer} PuzzleAnswer */

class PuzzlePage {
  #playArea = part("play-area");
  #board = new Board(part("board"));
  #prompt = new Prompt(this.#board, () => true);
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
    this.#board.viewport.listenToButtons();
    this.#prompt.on("move", (action) => attempt(() => this.#try(action)));
    this.#again.addEventListener("click", () => this.#ask());
    this.#solve.addEventListener("click", () => this.#showSolution());
    this.#playOn.addEventListener("click", () => attempt(() => this.#openTable()));
    this.#markSolved();
    this.#position = await get(this.#address);
    this.#ask();
  }

  #ask() {
    if (!this.#position) return;
    this.#showBoard(this.#position);
    part("asks").textContent = this.#position.scene.asks;
    part("verdict").hidden = true;
    this.#prompt.ask(this.#position.choices);
    this.#prompt.askAgain();
    this.#showButtons("asking");
  }

  /** @param {StudyBoard} board */
  #showBoard({ scene, log }) {
    this.#board.show(scene);
    part("tables").replaceChildren(...scene.tables.map((table) => scoreTable(table)));
    showLog(log);
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
    this.#showAnswer(_("Solved! This is the best move."), answer);
  }

  /** @param {PuzzleAnswer} answer */
  #missed(answer) {
    const values = { tried: percent(answer.share ?? 0), best: percent(answer.best_share) };
    const sentence =
      answer.share === null
        ? _(
            "The searches gave this move hardly any time: it looks much worse than the best, which wins {best}.",
            values,
          )
        : _("This move wins {tried}; the best one wins {best}.", values);
    const verdict = part("verdict");
    verdict.classList.remove("right");
    verdict.replaceChildren(make("p", {}, sentence));
    verdict.hidden = false;
    this.#showButtons("missed");
  }

  #showSolution() {
    if (this.#answer) this.#showAnswer(_("The best move:"), this.#answer);
  }

  /**
   * @param {string} heading
   * @param {PuzzleAnswer} answer
   */
  #showAnswer(heading, answer) {
    this.#showBoard(answer.board);
    const { best_score: score, unit } = answer;
    const worth = _("It wins {best} and ends with about {score} ({unit}).", {
      best: percent(answer.best_share),
      score: Math.round(score),
      unit,
    });
    const verdict = part("verdict");
    verdict.classList.add("right");
    verdict.replaceChildren(
      make("p", {}, make("strong", {}, heading), ` ${answer.best}`),
      make("p", {}, worth),
      make("p", {}, _("Why: {reasons}", { reasons: answer.why })),
    );
    verdict.hidden = false;
    this.#showButtons("solved");
  }

  /** @param {"asking" | "missed" | "solved"} state */
  #showButtons(state) {
    const hadFocus = document.activeElement?.closest(".asking") !== null;
    this.#again.hidden = state !== "missed";
    this.#solve.hidden = state !== "missed";
    this.#playOn.hidden = state !== "solved";
    this.#playArea.dataset.state = state;
    const first = [this.#again, this.#playOn].find((button) => !button.hidden);
    if (hadFocus && first) first.focus({ preventScroll: true });
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

/** @param {number} share */
function percent(share) {
  return `${Math.round(100 * share)} %`;
}

attempt(() => new PuzzlePage().begin());
