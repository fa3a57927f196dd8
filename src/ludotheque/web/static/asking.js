// The question to the player: what can be done now, as buttons, and by clicks on the board; narrowed until one move is
// left, then played, or shown and asked for once more.

import { Narrowing, numbersOf, told } from "./choices.js";
import { button, make } from "./dom.js";
import { _ } from "./words.js";

const FEW = 4; // so many moves can be looked at one after the other, such as the turns of a tile

export class Asking extends EventTarget {
  /** `host`: where the buttons go; `board`: the Board; `asksFirst()`: whether a move is shown before it is played. */
  constructor(host, board, asksFirst) {
    super();
    this.host = host;
    this.board = board;
    this.asksFirst = asksFirst;
    this.narrowing = new Narrowing([]);
    this.place = 0; // which of a few moves is looked at
    this.looked = ""; // the step under the pointer
    this.hadFocus = false;
    board.addEventListener("step", (event) => this.click(event.detail));
    board.addEventListener("look", (event) => this.look(event.detail));
    host.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => this.turnByKey(event));
  }

  /** Ask by a tree of choices; by an empty one, ask nothing. */
  ask(tree) {
    const same = JSON.stringify(tree) === this.tree;
    this.tree = JSON.stringify(tree);
    if (!same) this.narrowing = new Narrowing(tree);
    this.busy = false;
    this.render();
  }

  get isAsking() {
    return this.narrowing.moves.length > 0;
  }

  click(step) {
    if (this.busy) return;
    if (this.narrowing.picked.includes(step)) {
      if (this.turns()) this.turn();
      else this.unpick(step);
    } else if (this.narrowing.offers(step)) this.pick(step);
  }

  pick(step) {
    if (step !== this.looked) this.place = 0;
    this.narrowing.pick(step);
    if (this.turns()) this.place %= this.narrowing.left.length;
    else this.place = 0;
    const move = this.narrowing.settled;
    if (move && !this.asksFirst()) this.play(move);
    else this.render();
  }

  unpick(step) {
    this.narrowing.picked = this.narrowing.picked.filter((key) => key !== step);
    this.render();
  }

  back() {
    this.narrowing.back();
    this.render();
  }

  play(move) {
    this.busy = true;
    this.show(null);
    this.render();
    this.dispatchEvent(new CustomEvent("move", { detail: move.action }));
  }

  /** Nothing came of the move: ask again. */
  again() {
    this.busy = false;
    this.narrowing.picked = [];
    this.render();
  }

  /** Whether all that is left to say is how the piece is turned. */
  turns() {
    const { left, question, picked } = this.narrowing;
    return (
      picked.length > 0 &&
      left.length > 1 &&
      left.length === question.length &&
      question.every((step) => step.key.startsWith("turn:"))
    );
  }

  turn() {
    this.place = (this.place + 1) % this.narrowing.left.length;
    this.render();
  }

  /** R turns the piece that is being placed, or the one that the pointer would place. */
  turnByKey(event) {
    if (event.key.toLowerCase() !== "r" || event.ctrlKey || event.metaKey || event.altKey || !this.isAsking) return;
    if (event.target.matches?.("input, textarea, select")) return;
    if (this.turns()) this.turn();
    else if (this.looked) {
      this.place += 1;
      this.look(this.looked);
    }
  }

  // What would happen.

  look(step) {
    this.board.point("");
    this.looked = step;
    if (!this.isAsking || this.busy) return;
    const left = step && this.narrowing.offers(step) ? this.narrowing.leftAfter(step) : [];
    this.show(left.length > 0 && left.length <= FEW ? left[this.place % left.length] : this.considered());
  }

  /** The move that the buttons are about, if they are about one. */
  considered() {
    return this.turns() ? this.narrowing.left[this.place % this.narrowing.left.length] : this.narrowing.settled;
  }

  show(move) {
    this.dispatchEvent(new CustomEvent("consider", { detail: move?.action ?? null }));
  }

  // Buttons.

  render() {
    this.hadFocus ||= this.host.contains(document.activeElement);
    const { narrowing } = this;
    const asking = this.isAsking && !this.busy;
    this.board.mark(asking ? narrowing.offered : new Set(), asking ? narrowing.picked : []);
    this.host.replaceChildren(...(asking ? this.content().filter(Boolean) : []));
    if (!asking) return;
    this.show(this.considered());
    if (this.hadFocus) this.host.querySelector("[data-first]")?.focus({ preventScroll: true });
    if (this.hadFocus) this.hadFocus = false;
  }

  content() {
    const settled = this.narrowing.settled;
    if (settled) return [this.trail(), this.confirm(settled)];
    if (this.turns()) return [this.trail(), this.turner()];
    const steps = this.narrowing.question;
    const numbers = numbersOf(steps);
    const isOnBoard = steps.every((step) => this.board.stands(step.key));
    return [this.trail(), numbers && !isOnBoard ? this.number(steps, numbers) : this.list(steps, isOnBoard)];
  }

  /** What has been picked so far, and the way back. */
  trail() {
    const { picked, left } = this.narrowing;
    if (picked.length === 0) return null;
    const labels = left[0].path.filter((step) => picked.includes(step.key)).map((step) => step.label);
    return make(
      "p",
      { class: "trail" },
      make("span", {}, labels.join(" · ")),
      button(_("Back"), () => this.back(), { class: "quiet", "data-back": true }),
    );
  }

  list(steps, isOnBoard) {
    const list = make("div", { class: isOnBoard ? "choices places" : "choices" });
    if (isOnBoard) list.append(make("p", { class: "dim" }, _("Choose on the board, or here:")));
    steps.forEach((step, place) => {
      list.append(
        button(step.label, () => this.pick(step.key), {
          class: "choice",
          "data-step": step.key,
          "data-first": place === 0,
          onpointerenter: () => this.glance(step.key),
          onpointerleave: () => this.look(""),
          // A finger or a mouse that has just chosen leaves the focus on the next list: nobody looks at it yet.
          onfocus: (event) => event.target.matches(":focus-visible") && this.glance(step.key),
        }),
      );
    });
    return list;
  }

  glance(step) {
    this.look(step);
    this.board.point(step);
  }

  confirm(move) {
    return make("div", { class: "choices" }, this.player(move));
  }

  /** The button that plays a move: it says what the trail above it does not say already, or all if nothing is left. */
  player(move) {
    const rest = move.path.filter((step) => !this.narrowing.picked.includes(step.key));
    const label = _("Play: {move}", { move: told(rest.length > 0 ? { path: rest } : move) });
    return button(label, () => this.play(move), { class: "main", "data-first": true, "data-play": true });
  }

  turner() {
    const move = this.narrowing.left[this.place];
    return make(
      "div",
      { class: "choices" },
      make(
        "button",
        { type: "button", onclick: () => this.turn(), "data-turn": true },
        _("Turn"),
        make("kbd", {}, "R"),
      ),
      this.player(move),
    );
  }

  /** Many numbers in a row, such as bids: the least, one more, or typed. */
  number(steps, numbers) {
    const [least, most] = [numbers[0], numbers.at(-1)];
    const input = make("input", {
      type: "number",
      min: least,
      max: most,
      value: least,
      inputmode: "numeric",
      "aria-label": _("A number from {least} to {most}", { least, most }),
    });
    const set = (value) => {
      input.value = Math.min(most, Math.max(least, value));
      input.dispatchEvent(new Event("input"));
    };
    const go = button(
      "",
      () => {
        const step = steps[numbers.indexOf(Number(input.value))];
        if (step) this.pick(step.key);
        else input.reportValidity();
      },
      { class: "main", "data-play": true, "data-first": true },
    );
    const tell = () => {
      go.textContent = steps[numbers.indexOf(Number(input.value))]?.label ?? "?";
    };
    input.addEventListener("input", tell);
    input.addEventListener("keydown", (event) => event.key === "Enter" && go.click());
    tell();
    return make(
      "div",
      { class: "choices number" },
      make(
        "span",
        { class: "stepper" },
        button("−1", () => set(Number(input.value) - 1)),
        input,
        button("+1", () => set(Number(input.value) + 1)),
      ),
      button(_("Least: {number}", { number: least }), () => set(least)),
      make("span", { class: "dim" }, _("at most {most}", { most })),
      go,
    );
  }

  /** Arrows go from choice to choice, Escape goes back. */
  key(event) {
    if (event.key === "Escape" && this.narrowing.picked.length > 0) {
      this.hadFocus = true;
      this.back();
      return;
    }
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const buttons = [...this.host.querySelectorAll("button.choice")];
    const place = buttons.indexOf(document.activeElement);
    if (!step || place < 0) return;
    event.preventDefault();
    buttons[(place + step + buttons.length) % buttons.length].focus();
  }
}
