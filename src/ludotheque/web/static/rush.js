// @ts-check
// Rush: as many puzzles as possible in three minutes, the easiest first; three wrong moves end it too.

import "./preferences.js";
import { get } from "./lib/api.js";
import { make, part } from "./lib/dom.js";
import { attempt } from "./lib/toast.js";
import { _ } from "./lib/translate.js";
import { PuzzleBoard } from "./study/puzzle_board.js";
import { bestRush, keepRush, order, SECONDS, STRIKES, timeText } from "./study/rush_rules.js";
import { BrowserSolving, loadSolving } from "./study/solving.js";

/** @typedef {import("./wire").PuzzleEntry} PuzzleEntry */

class RushPage {
  #playArea = part("play-area");
  #game = this.#playArea.dataset.game ?? "";
  #entries = this.#playArea.dataset.entries ?? "";
  #key = this.#playArea.dataset.rush ?? "";
  #puzzle = new PuzzleBoard(() => false, false);
  #start = part("start", HTMLButtonElement);
  /** @type {PuzzleEntry[]} */
  #left = [];
  /** @type {PuzzleEntry | undefined} */
  #current;
  #solved = 0;
  #wrong = 0;
  #ends = 0;
  #timer = 0;
  /** @type {import("./study/solving.js").Solving} */
  #solving = new BrowserSolving();

  begin() {
    this.#puzzle.on("answer", (answer) => attempt(() => this.#count(answer)));
    this.#start.addEventListener("click", () => attempt(() => this.#begin()));
    this.#show();
  }

  async #begin() {
    this.#start.hidden = true;
    const [puzzles, solving] = await Promise.all([get(this.#entries), loadSolving()]);
    this.#left = order(puzzles);
    this.#solving = solving;
    this.#solved = 0;
    this.#wrong = 0;
    part("verdict").hidden = true;
    await this.#next();
    this.#ends = performance.now() + 1000 * SECONDS;
    this.#timer = setInterval(() => this.#tick(), 250);
    this.#playArea.dataset.state = "asking";
    this.#show();
  }

  /** @param {import("./wire").PuzzleAnswer} answer */
  async #count(answer) {
    if (this.#timer === 0 || !this.#current) return; // the time was over while the answer came
    this.#solving.count({ game: this.#game, puzzle: this.#current, day: "", isRated: false }, answer);
    if (answer.is_best) this.#solved += 1;
    else this.#wrong += 1;
    part("last").textContent = answer.is_best ? _("Right!") : _("Wrong.");
    this.#show();
    if (this.#wrong === STRIKES || this.#left.length === 0) this.#end();
    else await this.#next();
  }

  async #next() {
    this.#current = this.#left.shift();
    if (this.#current) await this.#puzzle.open(`/api/puzzles/${this.#game}/${this.#current.id}`);
  }

  #tick() {
    this.#show();
    if (performance.now() >= this.#ends) this.#end();
  }

  #end() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#puzzle.prompt.ask([]);
    const best = bestRush(this.#key);
    keepRush(this.#key, this.#solved);
    const sentences = [
      _("Solved: {count}. Your best so far: {best}.", { count: this.#solved, best: Math.max(best, this.#solved) }),
      this.#solved > best ? _("A new best!") : "",
    ];
    const verdict = part("verdict");
    verdict.replaceChildren(...sentences.filter(Boolean).map((sentence) => make("p", {}, sentence)));
    verdict.hidden = false;
    this.#start.textContent = _("Once more");
    this.#start.hidden = false;
    this.#playArea.dataset.state = "over";
    this.#start.focus({ preventScroll: true });
  }

  #show() {
    const seconds = this.#timer === 0 ? SECONDS : Math.max(0, (this.#ends - performance.now()) / 1000);
    part("clock").textContent = timeText(seconds);
    part("count").textContent = _("Solved: {count}", { count: this.#solved });
    part("strikes").textContent = "✗".repeat(this.#wrong);
    part("strikes").setAttribute("aria-label", _("Wrong: {count}", { count: this.#wrong }));
  }
}

new RushPage().begin();
