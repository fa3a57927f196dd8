// @ts-check
// The question to the player as it stands: what is left of the choices, and where in the turn it is asked.

import { capitalized } from "../lib/text.js";
import { Narrowing, namesOf, stepsOf } from "./choices.js";
import { isTurn } from "./rotation.js";

/** @typedef {import("./choices.js").Choice} Choice */
/** @typedef {{labels: string[], earlierChoices: Choice[][]}} Earlier what the turn began with */

export class Question {
  narrowing = new Narrowing([]);
  /** Whether a move or a decision has been sent. */
  isBusy = false;
  /** The last step of a move that was refused, while it is asked again. */
  refused = "";
  #tree = "";
  #asked = ""; // the tree and what else the question is made of
  #continues = false; // whether the turn may go on after this decision
  #isLast = false; // whether it is known that it does not
  /** @type {Earlier | null} */
  #earlier = null;
  /** @type {Set<string>[]} by earlier decision: the steps that could be chosen */
  #changeable = [];
  /** @type {Set<string>[]} the same without those that are further decisions */
  #decisions = [];

  /**
   * @param {Choice[]} tree
   * @param {boolean} continues whether the turn may go on after the decision
   * @param {Earlier | null} earlier the decisions of this turn before it
   * @returns {boolean} whether that was asked already, and has not been answered in between
   */
  ask(tree, continues, earlier) {
    const key = JSON.stringify(tree);
    const asked = [key, continues, ...(earlier?.labels ?? [])].join("\n");
    const isSame = asked === this.#asked && !this.isBusy;
    if (key !== this.#tree || this.isBusy) {
      this.narrowing = new Narrowing(tree);
      this.#isLast = false;
    }
    this.#tree = key;
    this.#asked = asked;
    this.#continues = continues;
    this.#earlier = earlier;
    this.#changeable = (earlier?.earlierChoices ?? []).map((choices) => stepsOf(choices));
    this.#decisions = (earlier?.earlierChoices ?? []).map((choices) => stepsOf(choices, 0));
    this.isBusy = false;
    return isSame;
  }

  get isAsking() {
    return this.narrowing.moves.length > 0 && !this.isBusy;
  }

  /** Whether the turn may go on after this decision, as far as is known. */
  get isPart() {
    return this.#continues && !this.#isLast;
  }

  /** Whether something was decided in this turn before. */
  get isLaterPart() {
    return this.#earlier !== null;
  }

  /** The turn is over with this decision. */
  finish() {
    this.isBusy = false;
    this.#isLast = true;
  }

  /** Begin again: the move was refused. */
  restart() {
    this.isBusy = false;
    this.refused = this.narrowing.picked.at(-1) ?? "";
    this.narrowing.picked = [];
  }

  /** Take back the last pick; return whether there was one. */
  back() {
    this.#isLast = false;
    if (this.narrowing.picked.length === 0) return false;
    this.narrowing.back();
    return true;
  }

  /** Whether there is something to go back to. */
  get canGoBack() {
    return this.narrowing.picked.length > 0 || this.#earlier !== null;
  }

  /** The decisions and picks of this turn so far, in words. */
  get trail() {
    const { picked, left } = this.narrowing;
    const steps = (left[0]?.path ?? []).filter((step) => picked.includes(step.key));
    const names = [...(this.#earlier?.labels ?? []), ...(steps.length > 0 ? [this.namesOf(steps)] : [])];
    return capitalized(names.join(" · "));
  }

  /**
   * Steps of this question by their names.
   * @param {import("./choices.js").Step[]} steps
   */
  namesOf(steps) {
    return namesOf(
      steps,
      this.narrowing.moves.flatMap(({ path }) => path),
    );
  }

  /** The steps that can be picked instead of others: of this question, and of earlier decisions of the turn. */
  get changeable() {
    return new Set([...this.narrowing.alternatives, ...this.#changeable.flatMap((steps) => [...steps])]);
  }

  /** The steps of the present decisions that can be picked instead of others, to be pointed out on the board. */
  get instead() {
    const steps = [...this.narrowing.alternatives, ...this.#decisions.flatMap((some) => [...some])];
    return new Set(steps.filter((step) => !this.narrowing.picked.includes(step)));
  }

  /** The next way round for what was just laid; "" where that was no decision of its own. */
  get nextTurn() {
    const ways = this.#earlier?.earlierChoices.at(-1) ?? [];
    const label = this.#earlier?.labels.at(-1);
    const place = ways.every(isTurn) ? ways.findIndex((way) => way.label === label) : -1;
    return place < 0 ? "" : (ways[(place + 1) % ways.length]?.key ?? "");
  }

  /** The place of the decision before this one; -1 if there is none. */
  get previousPlace() {
    return this.#changeable.length - 1;
  }

  /**
   * The place of the earlier decision that a step belongs to; -1 if there is none.
   * @param {string} step
   */
  placeOf(step) {
    return this.#changeable.findIndex((steps) => steps.has(step));
  }
}
