// @ts-check
// A question as buttons: the choices that the board does not show, a list of all others, and the button that plays.
//
// Events: "pick" (a step), "choose" (the move that is shown), "back", "turn", and "glance" (the step that a button is
// pointed at for; "" for none).

import { button, make, part, replaceContent } from "../lib/dom.js";
import { Emitter } from "../lib/emitter.js";
import { hasMoved } from "../lib/pointer.js";
import { capitalized, unbroken } from "../lib/text.js";
import { _ } from "../lib/translate.js";
import { labelOf, numbersOf } from "./choices.js";
import { chip } from "./mark.js";
import { numberField } from "./number_field.js";

/** @typedef {import("./choices.js").Move} Move */
/** @typedef {import("./choices.js").Step} Step */

const MANY = 6; // from this many on, numbers in a row are a field
/** @type {Record<string, number>} */
const ARROWS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** @extends {Emitter<{pick: string, choose: Move, back: null, turn: null, glance: string}>} */
export class Buttons extends Emitter {
  #host = part("question");
  #hadFocus = false;
  #pointed = ""; // the step whose button the pointer is at
  #showsAll = false; // whether the list of what can be chosen on the board is unfolded

  /**
   * @param {import("./question.js").Question} question
   * @param {import("./rotation.js").Rotation} rotation
   * @param {import("../board/board.js").Board} board
   */
  constructor(question, rotation, board) {
    super();
    this.question = question;
    this.rotation = rotation;
    this.board = board;
    this.#host.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Show the question as it stands; the focus stays in it. */
  show() {
    const { isAsking, refused } = this.question;
    this.#hadFocus = this.#keepsFocus();
    this.#pointed = "";
    replaceContent(this.#host, ...(isAsking ? this.#content() : []));
    if (!isAsking) return;
    const first = this.#button(refused) ?? this.#host.querySelector("[data-first]");
    const isLost = this.#hadFocus && !this.#host.contains(document.activeElement);
    if (isLost && first instanceof HTMLElement) first.focus({ preventScroll: true });
    this.#hadFocus = false;
  }

  /** Whether the question had the focus when it went away; said once, to the page that puts the focus elsewhere. */
  takeFocus() {
    const hadFocus = this.#hadFocus;
    this.#hadFocus = false;
    return hadFocus;
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

  #content() {
    const { settled } = this.question.narrowing;
    const trail = this.question.canGoBack ? [this.#trail()] : [];
    return [...trail, settled ? make("div", { class: "choices" }, this.#playButton(settled)) : this.#choices()];
  }

  #choices() {
    const move = this.rotation.isOpen && this.rotation.move;
    if (move) return this.#rotation(move);
    const steps = this.question.narrowing.question;
    const onBoard = steps.filter((step) => this.board.hasStep(step.key));
    const elsewhere = steps.filter((step) => !onBoard.includes(step));
    return make("div", {}, elsewhere.length > 0 ? this.#list(elsewhere) : null, this.#all(onBoard));
  }

  /** The picks so far, and the way back. */
  #trail() {
    const back = button(_("Back"), () => this.emit("back", null), { class: "quiet", "data-back": true });
    const hint = this.rotation.isAhead && make("small", { class: "dim with-mouse" }, _("R or the wheel turns it."));
    const turn = this.question.nextTurn ? this.#turnButton() : null;
    return make(
      "p",
      { class: "trail" },
      make("span", {}, this.question.trail, hint ? " " : null, hint || null),
      turn,
      back,
    );
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
    const steps = this.question.narrowing.questionAfter(key);
    return steps.every((step) => step.key.startsWith(`${key}:`)) ? this.#numberField(label, steps) : null;
  }

  /**
   * @param {string} label
   * @param {Step[]} steps
   */
  #numberField(label, steps) {
    const numbers = numbersOf(steps);
    const start = steps.findIndex((step) => step.key === this.question.refused);
    return numbers && numberField(label, steps, numbers, (step) => this.#numberButton(step), numbers[start]);
  }

  /** @param {Step} step */
  #numberButton(step) {
    const chosen = this.#choice(step, false);
    chosen.classList.add("main");
    return chosen;
  }

  /**
   * The choices on the board, as a list too, for keyboards and screen readers; it stays as it was left.
   * @param {Step[]} steps
   */
  #all(steps) {
    if (steps.length === 0) return null;
    const count = make("span", { class: "dim" }, ` (${steps.length})`);
    const fold = make(
      "details",
      { class: "all-choices", open: this.#showsAll },
      make("summary", { "data-first": !this.#showsAll }, _("All choices"), count),
      this.#showsAll ? this.#list(steps) : null,
    );
    fold.addEventListener("toggle", () => {
      this.#showsAll = fold.open;
      if (fold.open && fold.childElementCount === 1) fold.append(this.#list(steps)); // hundreds of buttons take time
    });
    return fold;
  }

  /**
   * @param {Step} step
   * @param {boolean} isFirst
   */
  #choice({ key, label, warning }, isFirst) {
    const choice = button(unbroken(capitalized(label)), () => this.emit("pick", key), {
      class: "choice",
      "data-step": key,
      "data-first": isFirst,
      onpointermove: (/** @type {PointerEvent} */ event) => this.#point(event, key),
      onpointerleave: () => this.#leave(),
      // A finger or a mouse that has just chosen leaves the focus on the next list: nobody looks at it yet.
      onfocus: (/** @type {FocusEvent} */ event) => {
        if (event.target instanceof Element && event.target.matches(":focus-visible")) this.emit("glance", key);
      },
    });
    this.#colour(choice, label);
    if (warning) choice.append(make("small", { class: "warning" }, warning));
    return choice;
  }

  /**
   * Put the counter of what a choice names in front of it; a small screen shows no more than the name.
   * @param {HTMLElement} choice
   * @param {string} label
   */
  #colour(choice, label) {
    const counter = this.board.counterOf(label);
    if (!counter) return;
    const name = String(counter.text);
    choice.setAttribute("aria-label", label);
    choice.replaceChildren(
      chip(counter),
      name,
      make("span", { class: "more-words" }, unbroken(label.slice(name.length))),
    );
  }

  /**
   * @param {PointerEvent} event
   * @param {string} key
   */
  #point(event, key) {
    if (this.#pointed === key || !hasMoved(event)) return;
    this.#pointed = key;
    this.emit("glance", key);
  }

  #leave() {
    this.#pointed = "";
    this.emit("glance", "");
  }

  /**
   * The button that plays a move: it says what the trail above it does not say already.
   * @param {Move} move
   */
  #playButton(move) {
    const { picked } = this.question.narrowing;
    const isTold = (/** @type {Step} */ { key }) =>
      picked.some((other) => other === key || other.startsWith(`${key}:`));
    const rest = move.path.filter((step) => !isTold(step));
    const label = _("Play: {move}", { move: labelOf(rest.length > 0 ? rest : move.path) });
    const warnings = move.path.flatMap(({ warning }) => warning || []);
    const spoken = [label, ...warnings].join(" – ");
    const attributes = { class: "main", "data-first": true, "data-play": true, "aria-label": spoken };
    const play = button(rest.length > 0 ? label : _("Play"), () => this.emit("choose", move), attributes);
    for (const warning of warnings) play.append(make("small", { class: "warning" }, warning));
    return play;
  }

  /** @param {Move} move */
  #rotation(move) {
    return make("div", { class: "choices" }, this.#turnButton(), this.#playButton(move));
  }

  #turnButton() {
    const turn = button(_("Turn"), () => this.emit("turn", null), { "data-turn": true, "data-key": "turn" });
    turn.append(make("kbd", {}, "R"));
    return turn;
  }

  /**
   * Arrows go from choice to choice, Escape goes back.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    if (event.key === "Escape" && this.question.canGoBack) {
      event.preventDefault();
      this.#hadFocus = true;
      this.emit("back", null);
      return;
    }
    const way = ARROWS[event.key];
    /** @type {Element[]} */
    const buttons = [...this.#host.querySelectorAll("button.choice")].filter((choice) => choice.checkVisibility());
    const place = document.activeElement ? buttons.indexOf(document.activeElement) : -1;
    if (!way || place < 0) return;
    event.preventDefault();
    const next = buttons[(place + way + buttons.length) % buttons.length];
    if (next instanceof HTMLElement) next.focus();
  }
}
