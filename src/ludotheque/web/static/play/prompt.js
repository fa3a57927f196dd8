// @ts-check
// The question to the player: what can be done now, as buttons and by clicks on the board, narrowed until one move is
// left; that one is played, or shown and confirmed first.
//
// Where the turn may go on after a decision, that is reported first, and the prompt is asked for the next one or told
// that the turn is over (`finish`).
//
// Events: "decide" (a decision after which the turn may go on), "move" (the action to play), "back" (the place of an
// earlier decision of the turn to take back) and "consider" (the action to preview, or null).

import { button, make, part, replaceContent } from "../lib/dom.js";
import { Emitter } from "../lib/emitter.js";
import { _ } from "../lib/translate.js";
import { labelOf, Narrowing, numbersOf, stepsOf } from "./choices.js";
import { numberField } from "./number_field.js";

/** @typedef {import("../board/board.js").Board} Board */
/** @typedef {import("./choices.js").Move} Move */
/** @typedef {import("./choices.js").Step} Step */

const MANY = 6; // from this many on, numbers in a row are a field
const FEW = 4; // up to this many moves are previewed one after the other, such as the rotations of a tile
/** @type {Record<string, number>} */
const ARROWS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** @typedef {{labels: string[], earlierChoices: import("./choices.js").Choice[][]}} Earlier what the turn began with */

/** @extends {Emitter<{decide: {action: number, label: string}, move: number, back: number, consider: number | null}>} */
export class Prompt extends Emitter {
  #host = part("question");
  #narrowing = new Narrowing([]);
  #tree = "";
  #asked = ""; // the tree and what else the question is made of
  #place = 0; // which of a few moves is previewed
  #looked = ""; // the step under the pointer
  #isBusy = false; // a move or a decision has been sent
  #continues = false; // whether the turn may go on after this decision
  #isLast = false; // whether it is known that it does not
  /** @type {Earlier | null} */
  #earlier = null;
  /** @type {Set<string>[]} by earlier decision: the steps that could be chosen */
  #changeable = [];
  #refused = ""; // the last step of a move that was refused, while it is asked again
  #wanted = ""; // a step to pick when the question is asked for which it is
  #hadFocus = false;
  /** @type {number | null} the action that is previewed */
  #previewed = null;
  #showsAll = false; // whether the list of what can be chosen on the board is unfolded

  /**
   * @param {Board} board
   * @param {() => boolean} mustConfirm whether a move is shown before it is played
   */
  constructor(board, mustConfirm) {
    super();
    this.board = board;
    this.mustConfirm = mustConfirm;
    board.on("step", ({ step, isByMouse }) => this.#click(step, isByMouse));
    board.on("drop", (step) => this.#drop(step));
    board.on("look", (step) => this.#look(step));
    board.viewport.takesWheel = () => this.#turnLooked();
    this.#host.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("keydown", (event) => this.#rotateByKey(event));
  }

  /**
   * Ask by a tree of choices; an empty one asks nothing. The same question again leaves the buttons, the focus and what
   * has been typed as they are, unless it was answered in between.
   * @param {import("./choices.js").Choice[]} tree
   * @param {boolean} [continues] whether the turn may go on after the decision
   * @param {Earlier | null} [earlier] the decisions of this turn before it
   */
  ask(tree, continues = false, earlier = null) {
    const key = JSON.stringify(tree);
    const asked = [key, continues, ...(earlier?.labels ?? [])].join("\n");
    const isSame = asked === this.#asked && !this.#isBusy;
    if (key !== this.#tree || this.#isBusy) {
      this.#narrowing = new Narrowing(tree);
      this.#isLast = false;
    }
    this.#tree = key;
    this.#asked = asked;
    this.#continues = continues;
    this.#earlier = earlier;
    this.#changeable = (earlier?.earlierChoices ?? []).map(stepsOf);
    this.#isBusy = false;
    if (isSame) this.#showOnBoard();
    else this.#render();
    this.#pickWanted();
  }

  /** Whether the question had the focus when it went away; said once, to the page that puts the focus elsewhere. */
  takeFocus() {
    const hadFocus = this.#hadFocus;
    this.#hadFocus = false;
    return hadFocus;
  }

  /** The turn is over with this decision: play it, or have it confirmed. */
  finish() {
    const move = this.#narrowing.settled;
    this.#isBusy = false;
    this.#isLast = true;
    if (move && !this.mustConfirm()) this.#play(move);
    else this.#render();
  }

  /** Ask again from the start: the move was refused. Its last step is offered first, a number as it was typed. */
  askAgain() {
    this.#isBusy = false;
    this.#refused = this.#narrowing.picked.at(-1) ?? "";
    this.#narrowing.picked = [];
    this.#render();
    this.#refused = "";
  }

  get #isAsking() {
    return this.#narrowing.moves.length > 0 && !this.#isBusy;
  }

  /**
   * A click on something that is picked already confirms what is shown; on something of an earlier decision, changes it.
   * @param {string} step
   * @param {boolean} isByMouse
   */
  #click(step, isByMouse) {
    if (this.#isBusy) return;
    if (this.#narrowing.picked.includes(step)) this.#clickAgain(step);
    else if (this.#narrowing.offers(step)) this.#pick(step, isByMouse);
    else this.#change(step);
  }

  /** @param {string} step */
  #clickAgain(step) {
    const move = this.#considered();
    if (move) this.#choose(move);
    else {
      this.#narrowing.unpick(step);
      this.#render();
    }
  }

  /**
   * Go back to the decision that a step belongs to, and pick it there.
   * @param {string} step
   */
  #change(step) {
    const place = this.#changeable.findIndex((steps) => steps.has(step));
    if (place < 0) return;
    this.#wanted = step;
    this.emit("back", place);
  }

  /**
   * A piece was dragged here: perhaps before the question was asked that this answers.
   * @param {string} step
   */
  #drop(step) {
    this.#wanted = step;
    if (!this.#isBusy) this.#pickWanted();
  }

  #pickWanted() {
    const step = this.#wanted;
    if (!step || !this.#isAsking) return;
    this.#wanted = "";
    if (this.#narrowing.offers(step)) this.#pick(step, true);
  }

  /**
   * @param {string} step
   * @param {boolean} isByMouse a mouse has seen which way round the piece lies, and lays it so
   */
  #pick(step, isByMouse = false) {
    if (step !== this.#looked) this.#place = 0;
    this.#narrowing.pick(step);
    this.#place = this.#canRotate() ? this.#place % this.#narrowing.left.length : 0;
    const { settled } = this.#narrowing;
    if (settled && (this.#isPart || !this.mustConfirm())) this.#choose(settled);
    else if (!settled && isByMouse && this.#canRotate() && !this.mustConfirm()) this.#choose(this.#considered());
    else this.#render();
  }

  /** Whether the turn may go on after this decision, as far as is known. */
  get #isPart() {
    return this.#continues && !this.#isLast;
  }

  /** @param {Move | null | undefined} move */
  #choose(move) {
    if (!move) return;
    if (!this.#isPart) {
      this.#play(move);
      return;
    }
    this.#isBusy = true;
    this.emit("decide", { action: move.action, label: labelOf(move.path) });
  }

  /** Take back the last pick, or the decision before this one. */
  #back() {
    this.#isLast = false;
    if (this.#narrowing.picked.length === 0) {
      this.emit("back", this.#changeable.length - 1);
      return;
    }
    this.#narrowing.back();
    this.#render();
  }

  /** @param {Move} move */
  #play(move) {
    this.#isBusy = true;
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
    this.#turnLooked();
  }

  /** Rotate the piece that is being placed, or the one that the pointer would place; return whether there is one. */
  #turnLooked() {
    if (!this.#isAsking) return false;
    if (this.#canRotate()) {
      this.#rotate();
      return true;
    }
    const left = this.#looked && this.#narrowing.offers(this.#looked) ? this.#narrowing.leftAfter(this.#looked) : [];
    if (left.length < 2 || left.length > FEW) return false;
    this.#place += 1;
    this.#look(this.#looked);
    return true;
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
    this.#previewed = move?.action ?? null;
    this.emit("consider", this.#previewed);
  }

  /** Mark and preview again on the board, which may show another scene now. */
  #showOnBoard() {
    this.#mark();
    this.emit("consider", this.#previewed);
  }

  // Buttons.

  #render() {
    const isAsking = this.#isAsking;
    this.#hadFocus = this.#keepsFocus();
    this.#mark();
    replaceContent(this.#host, ...(isAsking ? this.#content() : []));
    this.#consider(isAsking ? this.#considered() : null);
    if (!isAsking) return;
    const first = this.#button(this.#refused) ?? this.#host.querySelector("[data-first]");
    const isLost = this.#hadFocus && !this.#host.contains(document.activeElement);
    if (isLost && first instanceof HTMLElement) first.focus({ preventScroll: true });
    this.#hadFocus = false;
  }

  /** @param {string} step */
  #button(step) {
    return this.#host.querySelector(`[data-step="${CSS.escape(step)}"]`);
  }

  /** Whether the question has the focus, or had it when it went away and nothing has taken it since. */
  #keepsFocus() {
    const { activeElement, body } = document;
    return this.#host.contains(activeElement) || (this.#hadFocus && activeElement === body);
  }

  #mark() {
    const isAsking = this.#isAsking;
    this.board.mark(
      isAsking ? this.#narrowing.offered : new Set(),
      isAsking ? this.#narrowing.picked : [],
      isAsking ? new Set(this.#changeable.flatMap((steps) => [...steps])) : new Set(),
    );
    this.#showTurnButton(isAsking);
  }

  #content() {
    const { settled, picked } = this.#narrowing;
    const trail = picked.length > 0 || this.#earlier ? [this.#trail()] : [];
    return [...trail, settled ? make("div", { class: "choices" }, this.#playButton(settled)) : this.#choices()];
  }

  #choices() {
    const move = this.#canRotate() && this.#considered();
    if (move) return this.#rotation(move);
    const steps = this.#narrowing.question;
    const onBoard = steps.filter((step) => this.board.hasStep(step.key));
    const elsewhere = steps.filter((step) => !onBoard.includes(step));
    return make("div", {}, elsewhere.length > 0 ? this.#list(elsewhere) : null, this.#all(onBoard));
  }

  /** What has been picked so far, and the way back. */
  #trail() {
    const { picked, left } = this.#narrowing;
    const steps = (left[0]?.path ?? []).filter((step) => picked.includes(step.key));
    const back = button(_("Back"), () => this.#back(), { class: "quiet", "data-back": true });
    const labels = [...(this.#earlier?.labels ?? []), ...(steps.length > 0 ? [labelOf(steps)] : [])];
    return make("p", { class: "trail" }, make("span", {}, labels.join(" · ")), back);
  }

  /**
   * A button beside the piece that is being placed turns it.
   * @param {boolean} isAsking
   */
  #showTurnButton(isAsking) {
    const place = isAsking && this.#canRotate() ? this.#narrowing.picked.find((step) => this.board.hasPlace(step)) : "";
    if (!place) {
      this.board.showBeside("", null);
      return;
    }
    const turn = button("⟳", () => this.#rotate(), { class: "turn-here", "aria-hidden": "true", tabindex: -1 });
    this.board.showBeside(place, turn);
  }

  /** @param {Step[]} steps */
  #list(steps) {
    const many = steps.length >= MANY ? this.#numberField("", steps) : null;
    const items = many ? [many] : steps.map((step, place) => this.#numbers(step) ?? this.#choice(step, place === 0));
    return make("div", { class: "choices" }, ...items);
  }

  /**
   * A field for the number that completes a step, such as `bid` by `bid:7`; null for other steps.
   * @param {Step} step
   */
  #numbers({ key, label }) {
    const steps = this.#narrowing.questionAfter(key);
    return steps.every((step) => step.key.startsWith(`${key}:`)) ? this.#numberField(label, steps) : null;
  }

  /**
   * @param {string} label
   * @param {Step[]} steps
   */
  #numberField(label, steps) {
    const numbers = numbersOf(steps);
    const start = steps.findIndex((step) => step.key === this.#refused);
    return numbers && numberField(label, steps, numbers, (step) => this.#numberButton(step), numbers[start]);
  }

  /** @param {Step} step */
  #numberButton(step) {
    const chosen = this.#choice(step, false);
    chosen.classList.add("main");
    return chosen;
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
   * The button that plays a move: it says what the trail above it does not say already.
   * @param {Move} move
   */
  #playButton(move) {
    const { picked } = this.#narrowing;
    const isTold = (/** @type {Step} */ { key }) =>
      picked.some((other) => other === key || other.startsWith(`${key}:`));
    const rest = move.path.filter((step) => !isTold(step));
    const label = _("Play: {move}", { move: labelOf(rest.length > 0 ? rest : move.path) });
    const attributes = { class: "main", "data-first": true, "data-play": true, "aria-label": label };
    return button(rest.length > 0 ? label : _("Play"), () => this.#choose(move), attributes);
  }

  /** @param {Move} move */
  #rotation(move) {
    const rotate = button(_("Turn"), () => this.#rotate(), { "data-turn": true, "data-key": "turn" });
    rotate.append(make("kbd", {}, "R"));
    return make("div", { class: "choices" }, rotate, this.#playButton(move));
  }

  /**
   * Arrows go from choice to choice, Escape goes back.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    if (event.key === "Escape" && (this.#narrowing.picked.length > 0 || this.#earlier)) {
      event.preventDefault();
      this.#hadFocus = true;
      this.#back();
      return;
    }
    const step = ARROWS[event.key];
    /** @type {Element[]} */
    const buttons = [...this.#host.querySelectorAll("button.choice")].filter((choice) => choice.checkVisibility());
    const place = document.activeElement ? buttons.indexOf(document.activeElement) : -1;
    if (!step || place < 0) return;
    event.preventDefault();
    const next = buttons[(place + step + buttons.length) % buttons.length];
    if (next instanceof HTMLElement) next.focus();
  }
}
