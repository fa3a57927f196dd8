// @ts-check
// The question to the player: what can be done now, as buttons and by clicks on the board, narrowed until one move is
// left; that one is played, or shown and confirmed first.
//
// Events: "move" (the action to play) and "consider" (the action to preview, or null).

import { button, make, part } from "../lib/dom.js";
import { Emitter } from "../lib/emitter.js";
import { _ } from "../lib/translate.js";
import { labelOf, Narrowing, numbersOf } from "./choices.js";
import { numberField } from "./number_field.js";

/** @typedef {import("../board/board.js").Board} Board */
/** @typedef {import("./choices.js").Move} Move */
/** @typedef {import("./choices.js").Step} Step */

const FEW = 4; // up to this many moves are previewed one after the other, such as the rotations of a tile
/** @type {Record<string, number>} */
const ARROWS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** @extends {Emitter<{move: number, consider: number | null}>} */
export class Prompt extends Emitter {
  #host = part("question");
  #narrowing = new Narrowing([]);
  #tree = "";
  #place = 0; // which of a few moves is previewed
  #looked = ""; // the step under the pointer
  #isBusy = false; // a move has been sent
  #hadFocus = false;
  #showsAll = false; // whether the list of what can be chosen on the board is unfolded

  /**
   * @param {Board} board
   * @param {() => boolean} mustConfirm whether a move is shown before it is played
   */
  constructor(board, mustConfirm) {
    super();
    this.board = board;
    this.mustConfirm = mustConfirm;
    board.on("step", (step) => this.#click(step));
    board.on("look", (step) => this.#look(step));
    this.#host.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("keydown", (event) => this.#rotateByKey(event));
  }

  /**
   * Ask by a tree of choices; an empty one asks nothing.
   * @param {import("./choices.js").Choice[]} tree
   */
  ask(tree) {
    const key = JSON.stringify(tree);
    if (key !== this.#tree) this.#narrowing = new Narrowing(tree);
    this.#tree = key;
    this.#isBusy = false;
    this.#render();
  }

  /** Ask again from the start: the move was refused. */
  askAgain() {
    this.#isBusy = false;
    this.#narrowing.picked = [];
    this.#render();
  }

  get #isAsking() {
    return this.#narrowing.moves.length > 0 && !this.#isBusy;
  }

  /** @param {string} step */
  #click(step) {
    if (this.#isBusy) return;
    if (!this.#narrowing.picked.includes(step)) {
      if (this.#narrowing.offers(step)) this.#pick(step);
    } else if (this.#canRotate()) this.#rotate();
    else {
      this.#narrowing.unpick(step);
      this.#render();
    }
  }

  /** @param {string} step */
  #pick(step) {
    if (step !== this.#looked) this.#place = 0;
    this.#narrowing.pick(step);
    this.#place = this.#canRotate() ? this.#place % this.#narrowing.left.length : 0;
    const move = this.#narrowing.settled;
    if (move && !this.mustConfirm()) this.#play(move);
    else this.#render();
  }

  #back() {
    this.#narrowing.back();
    this.#render();
  }

  /** @param {Move} move */
  #play(move) {
    this.#isBusy = true;
    this.emit("consider", null);
    this.#render();
    this.emit("move", move.action);
  }

  // Rotating a piece.

  /** Whether only the rotation of the piece is still open. */
  #canRotate() {
    const { left, question, picked } = this.#narrowing;
    const isRotation = question.every((step) => step.key.startsWith("turn:"));
    return picked.length > 0 && left.length > 1 && left.length === question.length && isRotation;
  }

  #rotate() {
    this.#place = (this.#place + 1) % this.#narrowing.left.length;
    this.#render();
  }

  /**
   * R rotates the piece that is being placed, or the one that the pointer would place.
   * @param {KeyboardEvent} event
   */
  #rotateByKey(event) {
    if (event.key.toLowerCase() !== "r" || event.ctrlKey || event.metaKey || event.altKey || !this.#isAsking) return;
    if (event.target instanceof Element && event.target.matches("input, textarea, select")) return;
    if (this.#canRotate()) this.#rotate();
    else if (this.#looked) {
      this.#place += 1;
      this.#look(this.#looked);
    }
  }

  // Previews.

  /** @param {string} step */
  #look(step) {
    this.board.point("");
    this.#looked = step;
    if (!this.#isAsking) return;
    const left = step && this.#narrowing.offers(step) ? this.#narrowing.leftAfter(step) : [];
    const isFew = left.length > 0 && left.length <= FEW;
    this.#consider(isFew ? left[this.#place % left.length] : this.#considered());
  }

  /**
   * Look at a step from its button: highlight it on the board too.
   * @param {string} step
   */
  #glance(step) {
    this.#look(step);
    this.board.point(step);
  }

  /** The move that the buttons are about, if they are about one. */
  #considered() {
    const { left, settled } = this.#narrowing;
    return this.#canRotate() ? left[this.#place % left.length] : settled;
  }

  /** @param {Move | null | undefined} move */
  #consider(move) {
    this.emit("consider", move?.action ?? null);
  }

  // Buttons.

  #render() {
    this.#hadFocus ||= this.#host.contains(document.activeElement);
    const isAsking = this.#isAsking;
    this.board.mark(isAsking ? this.#narrowing.offered : new Set(), isAsking ? this.#narrowing.picked : []);
    this.#host.replaceChildren(...(isAsking ? this.#content() : []));
    if (!isAsking) return;
    this.#consider(this.#considered());
    const first = this.#host.querySelector("[data-first]");
    if (this.#hadFocus && first instanceof HTMLElement) first.focus({ preventScroll: true });
    this.#hadFocus = false;
  }

  #content() {
    const { settled, picked } = this.#narrowing;
    const trail = picked.length > 0 ? [this.#trail()] : [];
    return [...trail, settled ? make("div", { class: "choices" }, this.#playButton(settled)) : this.#choices()];
  }

  #choices() {
    const move = this.#canRotate() && this.#considered();
    if (move) return this.#rotation(move);
    const steps = this.#narrowing.question;
    const onBoard = steps.filter((step) => this.board.hasStep(step.key));
    const numbers = onBoard.length > 0 ? null : numbersOf(steps);
    if (numbers) return numberField(steps, numbers, (step) => this.#pick(step.key));
    const elsewhere = steps.filter((step) => !onBoard.includes(step));
    return make("div", {}, elsewhere.length > 0 ? this.#list(elsewhere) : null, this.#all(onBoard));
  }

  /** What has been picked so far, and the way back. */
  #trail() {
    const { picked, left } = this.#narrowing;
    const steps = (left[0]?.path ?? []).filter((step) => picked.includes(step.key));
    const back = button(_("Back"), () => this.#back(), { class: "quiet", "data-back": true });
    return make("p", { class: "trail" }, make("span", {}, labelOf(steps)), back);
  }

  /** @param {Step[]} steps */
  #list(steps) {
    return make("div", { class: "choices" }, ...steps.map((step, place) => this.#choice(step, place === 0)));
  }

  /**
   * What can be chosen on the board, as a list too, for keyboards and screen readers; it stays as it was left.
   * @param {Step[]} steps
   */
  #all(steps) {
    if (steps.length === 0) return null;
    const count = make("span", { class: "dim" }, ` (${steps.length})`);
    const fold = make(
      "details",
      { class: "all-choices", open: this.#showsAll },
      make("summary", { "data-first": !this.#showsAll }, _("All choices"), count),
      this.#list(steps),
    );
    fold.addEventListener("toggle", () => {
      this.#showsAll = fold.open;
    });
    return fold;
  }

  /**
   * @param {Step} step
   * @param {boolean} isFirst
   */
  #choice({ key, label }, isFirst) {
    return button(label, () => this.#pick(key), {
      class: "choice",
      "data-step": key,
      "data-first": isFirst,
      onpointerenter: () => this.#glance(key),
      onpointerleave: () => this.#look(""),
      // A finger or a mouse that has just chosen leaves the focus on the next list: nobody looks at it yet.
      onfocus: (/** @type {FocusEvent} */ event) => {
        if (event.target instanceof Element && event.target.matches(":focus-visible")) this.#glance(key);
      },
    });
  }

  /**
   * The button that plays a move: it says what the trail above it does not say already, or all if nothing is left.
   * @param {Move} move
   */
  #playButton(move) {
    const rest = move.path.filter((step) => !this.#narrowing.picked.includes(step.key));
    const label = _("Play: {move}", { move: labelOf(rest.length > 0 ? rest : move.path) });
    return button(label, () => this.#play(move), { class: "main", "data-first": true, "data-play": true });
  }

  /** @param {Move} move */
  #rotation(move) {
    const rotate = button(_("Turn"), () => this.#rotate(), { "data-turn": true });
    rotate.append(make("kbd", {}, "R"));
    return make("div", { class: "choices" }, rotate, this.#playButton(move));
  }

  /**
   * Arrows go from choice to choice, Escape goes back.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    if (event.key === "Escape" && this.#narrowing.picked.length > 0) {
      this.#hadFocus = true;
      this.#back();
      return;
    }
    const step = ARROWS[event.key];
    /** @type {Element[]} */
    const buttons = [...this.#host.querySelectorAll("button.choice")];
    const place = document.activeElement ? buttons.indexOf(document.activeElement) : -1;
    if (!step || place < 0) return;
    event.preventDefault();
    const next = buttons[(place + step + buttons.length) % buttons.length];
    if (next instanceof HTMLElement) next.focus();
  }
}
