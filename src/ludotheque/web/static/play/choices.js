// @ts-check
// The player's choices now: a tree of small named choices, narrowed until one move is left.
//
// The steps of a move may be picked in any order (the cell before the tile), so the tree is kept as the list of its
// moves, each with its path of steps, and picking a step keeps the moves that contain it.

import { capitalized, commonBeginning } from "../lib/text.js";
import { _ } from "../lib/translate.js";

/** @typedef {import("../wire").RenderedChoice} Choice */
/**
 * A step, the question that it leads to, and of which decision of the turn it is part, counted from the present one.
 * @typedef {{key: string, label: string, tag: string, warning: string, asks: string, decision: number}} Step
 */
/**
 * The last action of a move, those of the same turn before it, and the steps of them all.
 * @typedef {{action: number, before: number[], path: Step[]}} Move
 */

const FEW = 3; // answers that the banner names
const COLON = /\s?: /u; // between the name of a step and what it is

/**
 * The moves of a tree.
 * @param {Choice[]} tree
 * @param {Step[]} path
 * @param {number[]} before the actions that come first
 * @returns {Move[]}
 */
export function movesOf(tree, path = [], before = []) {
  return tree.flatMap(({ key, label, tag = "", warning = "", asks = "", action, children = [], next = [] }) => {
    const here = [...path, { key, label, tag, warning, asks, decision: before.length }];
    const inside = movesOf(children, here, before);
    if (action == null) return inside;
    return next.length > 0 ? movesOf(next, here, [...before, action]) : [{ action, before, path: here }, ...inside];
  });
}

/**
 * All steps of a tree.
 * @param {Choice[]} tree
 * @param {number} last the decisions of a turn after this one are left out
 */
export function stepsOf(tree, last = Number.POSITIVE_INFINITY) {
  const steps = movesOf(tree).flatMap(({ path }) => path);
  return new Set(steps.filter(({ decision }) => decision <= last).map(({ key }) => key));
}

/**
 * @param {Move} move
 * @param {string} key
 */
const has = (move, key) => move.path.some((step) => step.key === key);

/**
 * @param {Move} move
 * @param {string[]} keys
 */
const hasAll = (move, keys) => keys.every((key) => has(move, key));

export class Narrowing {
  /** @type {string[]} the keys of the steps picked so far */
  picked = [];

  /** @param {Choice[]} tree */
  constructor(tree) {
    this.moves = movesOf(tree);
  }

  /** The moves that contain all that has been picked. */
  get left() {
    return this.moves.filter((move) => hasAll(move, this.picked));
  }

  /**
   * Whether picking this step would narrow the choice, or complete it.
   * @param {string} key
   */
  offers(key) {
    const left = this.left;
    const count = left.filter((move) => has(move, key)).length;
    return count > 0 && !this.picked.includes(key) && (count < left.length || left.length === 1);
  }

  /** All steps that can be picked now, wherever in the tree they are. */
  get offered() {
    const keys = new Set(this.left.flatMap((move) => move.path.map((step) => step.key)));
    return new Set([...keys].filter((key) => this.offers(key)));
  }

  /**
   * The steps to point out, with their tags: those of the present decision, once something is picked also later ones.
   * @returns {Map<string, string>}
   */
  get asked() {
    const offered = this.offered;
    const isBegun = this.picked.length > 0;
    const steps = this.left.flatMap(({ path }) => path);
    const asked = steps.filter(({ key, decision }) => offered.has(key) && (isBegun || decision === 0));
    return new Map(asked.map(({ key, tag }) => [key, tag]));
  }

  /** The actions that all moves which are left begin with, so that only a later decision is open. */
  get decided() {
    const [first, ...others] = this.left.map(({ before }) => before);
    const differs = (/** @type {number} */ place) => others.some((other) => other[place] !== first?.[place]);
    const end = (first ?? []).findIndex((_, place) => differs(place));
    return end < 0 ? (first ?? []) : (first ?? []).slice(0, end);
  }

  /** The picks of the decision that is open. */
  get openPicks() {
    const decided = this.decided.length;
    const open = this.left.flatMap(({ path }) => path.filter(({ decision }) => decision >= decided));
    return this.picked.filter((key) => open.some((step) => step.key === key));
  }

  /** @param {string} key */
  pick(key) {
    this.picked.push(key);
  }

  /** The steps that can be picked instead of one that is picked. */
  get alternatives() {
    const others = this.#exchanges.flatMap((kept) => this.moves.filter((move) => hasAll(move, kept)));
    return new Set(others.flatMap((move) => move.path.map((step) => step.key)));
  }

  /**
   * Pick a step instead of the one that rules it out, the last one where several do; return whether that is possible.
   * @param {string} key
   */
  exchange(key) {
    const kept = this.#exchanges.find((some) => this.moves.some((move) => hasAll(move, [...some, key])));
    if (!kept) return false;
    this.picked = [...kept, key];
    return true;
  }

  /** The picks that stay without one of them, the last of them first. */
  get #exchanges() {
    return this.picked.map((gone) => this.picked.filter((other) => other !== gone)).reverse();
  }

  /** @param {string} key */
  unpick(key) {
    this.picked = this.picked.filter((other) => other !== key);
  }

  back() {
    this.picked.pop();
  }

  /** The one move that is left once something has been picked. */
  get settled() {
    const [move, ...others] = this.left;
    return move && others.length === 0 && this.picked.length > 0 ? move : null;
  }

  /**
   * Whether each step of the move that is left was picked by itself, at one of these places.
   * @param {(key: string) => boolean} isThere
   */
  isPickedIn(isThere) {
    const path = this.settled?.path ?? [];
    return path.length > 1 && path.every(({ key }) => this.picked.includes(key) && isThere(key));
  }

  /** The next question: the steps at the first place where the moves that are left differ. */
  get question() {
    return questionOf(this.left);
  }

  /**
   * While nothing is picked: the answers after which one of several places is to be picked, where there are several.
   * @param {Set<string>} places
   */
  beginningsTo(places) {
    if (this.picked.length > 0) return [];
    const isBeginning = (/** @type {Step} */ { key }) =>
      new Set(
        this.leftAfter(key).flatMap(({ path }) => path.map((step) => step.key).filter((step) => places.has(step))),
      ).size > 1;
    const steps = this.question.filter(isBeginning);
    return steps.length > 1 ? steps.map(({ key }) => key) : [];
  }

  /**
   * The question that the last pick leads to, else what has been picked and the few answers that are left: "Swap your
   * 40% share: for the open one or the hidden one", "G4: piece of length 2 or 4".
   */
  get followUp() {
    const answers = this.picked.length > 0 && !this.settled ? this.question : [];
    const steps = this.left[0]?.path ?? [];
    const asking = steps.findLast(({ key }) => this.picked.includes(key));
    const next = asking && steps[steps.indexOf(asking) + 1];
    if (asking?.asks && answers.some(({ key }) => key === next?.key)) return asking.asks;
    if (answers.length === 0 || answers.length > FEW) return "";
    const picked = this.left[0]?.path.filter(({ key }) => this.picked.includes(key)) ?? [];
    const either = new Intl.ListFormat(document.documentElement.lang, { type: "disjunction" });
    const labels = answers.map(({ label }) => label);
    const beginning = commonBeginning(labels);
    const words = either.format(labels.map((label) => label.slice(beginning.length)));
    return _("{choice}: {answers}", { choice: capitalized(labelOf(picked)), answers: beginning + words });
  }

  /**
   * The question if this step were picked too.
   * @param {string} key
   */
  questionAfter(key) {
    return questionOf(this.leftAfter(key));
  }

  /**
   * The moves that are left if this step were picked too.
   * @param {string} key
   */
  leftAfter(key) {
    return this.left.filter((move) => has(move, key));
  }
}

/**
 * The steps at the first place where moves differ; of a single move, its last step.
 * @param {Move[]} moves
 */
function questionOf(moves) {
  if (moves.length <= 1) return moves.flatMap((move) => move.path.slice(-1));
  let depth = 0;
  while (new Set(moves.map((move) => move.path[depth]?.key)).size === 1) depth += 1;
  /** @type {Map<string, Step>} */
  const steps = new Map();
  for (const move of moves) {
    const step = move.path[depth];
    if (step) steps.set(step.key, step);
  }
  return [...steps.values()];
}

/**
 * The numbers of steps such as `bid:7`, if they follow each other; otherwise null.
 * @param {Step[]} steps
 */
export function numbersOf(steps) {
  const numbers = steps.map((step) => Number(/^[\w-]+:(\d+)$/.exec(step.key)?.[1] ?? Number.NaN));
  const first = numbers[0] ?? Number.NaN;
  return numbers.every((number, place) => number === first + place) ? numbers : null;
}

/**
 * Steps as one text, without those that a later one repeats, as `bid:7` does `bid`.
 * @param {Step[]} steps
 */
export function labelOf(steps) {
  const isRepeated = (/** @type {Step} */ { key }) => steps.some((other) => other.key.startsWith(`${key}:`));
  return steps
    .filter((step) => !isRepeated(step))
    .map((step) => step.label)
    .join(" · ");
}

/**
 * The same with the name of each step alone, where that tells it from all others: "Expansion", not "Expansion: 3 left".
 * @param {Step[]} steps
 * @param {Step[]} others
 */
export function namesOf(steps, others) {
  return labelOf(steps.map((step) => ({ ...step, label: nameOf(step, others) })));
}

/**
 * @param {Step} step
 * @param {Step[]} others
 */
function nameOf({ key, label }, others) {
  const [name = label] = label.split(COLON, 1);
  const isShared = others.some((other) => other.key !== key && other.label.split(COLON, 1)[0] === name);
  return isShared ? label : name;
}
