// @ts-check
// Asks the player for a move: by buttons and by clicks on the board, narrowed until one move is left; that one is played,
// or shown and confirmed first.
//
// Where the turn may go on after a decision, that is reported first, and the prompt is asked for the next one or told
// that the turn is over (`finish`).
//
// Events: "decide" (decisions after which the turn may go on), "move" (the move to play), "back" (the place of an
// earlier decision of the turn to take back), "picked" (something was picked), "consider" (the move to preview, or null),
// "refuse" (the steps picked, the last of which cannot be, and the actions that were decided before them) and "asking"
// (what is left to decide after a pick, or "").

import { button } from "../lib/dom.js";
import { Emitter } from "../lib/emitter.js";
import { isLargeScreen } from "../lib/screen.js";
import { Buttons } from "./buttons.js";
import { Question } from "./question.js";
import { Rotation, turnOf } from "./rotation.js";

/** @typedef {import("./choices.js").Move} Move */

/** @typedef {Pick<Move, "action" | "before">} Actions */

/** @extends {Emitter<{decide: Actions & {label: string}, move: Actions, back: number, picked: null, consider: Actions | null, refuse: {steps: string[], after: number[]}, asking: string}>} */
export class Prompt extends Emitter {
  #question = new Question();
  #rotation = new Rotation(this.#question);
  #buttons;
  #wanted = ""; // a step to pick when the question is asked for which it is
  /** @type {Move | null} the move that is previewed */
  #previewed = null;

  /**
   * @param {import("../board/board.js").Board} board
   * @param {() => boolean} mustConfirm whether a move is shown before it is played
   */
  constructor(board, mustConfirm) {
    super();
    this.board = board;
    this.mustConfirm = mustConfirm;
    this.#buttons = new Buttons(this.#question, this.#rotation, board);
    board.on("step", ({ step, isByMouse, isOnGhost }) => this.#click(step, isByMouse, isOnGhost));
    board.on("unlit", (step) => this.#refuse(step));
    board.on("drop", (step) => this.#drop(step));
    board.on("look", (step) => this.#look(step));
    board.gestures.takesWheel = () => this.#turnHeld();
    document.addEventListener("keydown", (event) => this.#turnByKey(event));
    this.#buttons.on("pick", (step) => this.#pick(step));
    this.#buttons.on("choose", (move) => this.#choose(move));
    this.#buttons.on("back", () => this.#back());
    this.#buttons.on("turn", () => this.#turn());
    this.#buttons.on("glance", (step) => this.#glance(step));
  }

  /**
   * Ask by a tree of choices; an empty one asks nothing. The same question again leaves the buttons, the focus and what
   * has been typed as they are, unless it was answered in between.
   * @param {import("./choices.js").Choice[]} tree
   * @param {boolean} [continues] whether the turn may go on after the decision
   * @param {import("./question.js").Earlier | null} [earlier] the decisions of this turn before it
   */
  ask(tree, continues = false, earlier = null) {
    const isSame = this.#question.ask(tree, continues, earlier);
    if (isSame) this.#showOnBoard();
    else this.#show();
    this.#pickWanted();
  }

  /** Whether the question had the focus when it went away; said once, to the page that puts the focus elsewhere. */
  takeFocus() {
    return this.#buttons.takeFocus();
  }

  /** The turn is over with this decision: play it, or have it confirmed. */
  finish() {
    const move = this.#question.narrowing.settled;
    this.#question.finish();
    if (move && !this.mustConfirm()) this.#play(move);
    else this.#show();
  }

  /** Ask again from the start: the move was refused. Its last step is offered first, a number as it was typed. */
  askAgain() {
    this.#question.restart();
    this.#show();
    this.#question.refused = "";
  }

  // Answers.

  /**
   * A click on something that is picked already, or a tap on the ghost, confirms what is shown; on something else that
   * was possible, it exchanges the pick, and on something of an earlier decision, it changes that.
   * @param {string} step
   * @param {boolean} isByMouse
   * @param {boolean} isOnGhost
   */
  #click(step, isByMouse, isOnGhost) {
    const { isBusy, narrowing } = this.#question;
    if (isBusy) return;
    const isTurnSeen = isByMouse && this.board.hasPlace(step); // the ghost is under the mouse, not in the tray
    if (narrowing.picked.includes(step) || (isOnGhost && this.#rotation.move)) this.#clickAgain(step);
    else if (narrowing.offers(step)) this.#pick(step, isTurnSeen);
    else if (narrowing.exchange(step)) this.#chooseOrShow(isTurnSeen);
    else this.#change(step);
  }

  /** @param {string} step */
  #clickAgain(step) {
    const { move } = this.#rotation;
    if (move) {
      this.#choose(move);
      return;
    }
    this.#question.narrowing.unpick(step);
    this.#show();
  }

  /**
   * Go back to the decision that a step belongs to, and pick it there.
   * @param {string} step
   */
  #change(step) {
    const place = this.#question.placeOf(step);
    if (place < 0) return;
    this.#wanted = step;
    this.emit("back", place);
  }

  /** @param {string} step that was clicked and cannot be picked now */
  #refuse(step) {
    const { isAsking, narrowing } = this.#question;
    if (isAsking) this.emit("refuse", { steps: [...narrowing.openPicks, step], after: narrowing.decided });
  }

  /**
   * A piece was dragged here: perhaps before the question was asked that this answers.
   * @param {string} step
   */
  #drop(step) {
    this.#wanted = step;
    if (!this.#question.isBusy) this.#pickWanted();
  }

  #pickWanted() {
    const step = this.#wanted;
    if (!step || !this.#question.isAsking) return;
    this.#wanted = "";
    if (this.#question.narrowing.offers(step)) this.#pick(step, true);
  }

  /**
   * @param {string} step
   * @param {boolean} isTurnSeen whether it was seen which way round the piece lies
   */
  #pick(step, isTurnSeen = false) {
    this.#rotation.pick(step);
    this.#chooseOrShow(isTurnSeen);
  }

  /** @param {boolean} isTurnSeen */
  #chooseOrShow(isTurnSeen) {
    this.emit("picked", null);
    const { isOpen, move } = this.#rotation;
    const isSure = this.#question.isPart || this.#isLastOfLargeParts || this.#isPickedInTray || !this.mustConfirm();
    const isSeen = isOpen ? isTurnSeen && !this.mustConfirm() : isSure;
    if (move && isSeen) this.#choose(move);
    else this.#show();
  }

  /**
   * Whether a turn of several decisions ends with this one, on a board with pieces so large that no finger slips: the
   * turn was seen while it was composed, and is played without another tap.
   */
  get #isLastOfLargeParts() {
    return this.#question.isLaterPart && this.board.isLegible;
  }

  /**
   * Whether all of a move was picked in the tray, piece by piece: one's own share and the one to swap it for. The second
   * tap confirms the first one.
   */
  get #isPickedInTray() {
    return this.#question.narrowing.isPickedIn((step) => this.board.isInTray(step));
  }

  /** @param {Move} move */
  #choose(move) {
    if (!this.#question.isPart) {
      this.#play(move);
      return;
    }
    this.#question.isBusy = true;
    this.emit("decide", { ...move, label: this.#question.namesOf(move.path) });
  }

  /** Take back the last pick, or the decision before this one. */
  #back() {
    if (this.#question.back()) this.#show();
    else this.emit("back", this.#question.previousPlace);
  }

  /** @param {Move} move */
  #play(move) {
    this.#question.isBusy = true;
    this.#show();
    this.emit("move", move);
  }

  // Rotation and preview.

  /**
   * R rotates the piece that is being placed, or the one that the pointer would place.
   * @param {KeyboardEvent} event
   */
  #turnByKey(event) {
    if (event.key.toLowerCase() !== "r" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.matches("input, textarea, select")) return;
    this.#turn();
  }

  #turn() {
    if (!this.#turnHeld()) this.#turnLaid();
  }

  /** Rotate the piece that is being placed; return whether there is one. */
  #turnHeld() {
    const hasTurned = this.#rotation.turn();
    if (hasTurned && this.#rotation.isOpen) this.#show();
    else if (hasTurned) this.#preview();
    return hasTurned;
  }

  /** Lay what was just laid the next way round. */
  #turnLaid() {
    const { isAsking, nextTurn, previousPlace } = this.#question;
    if (!isAsking || !nextTurn) return;
    this.#wanted = nextTurn;
    this.emit("back", previousPlace);
  }

  /** @param {string} step */
  #look(step) {
    this.board.point("");
    this.#rotation.look(step);
    if (this.#question.isAsking) this.#preview();
  }

  /**
   * Look at a step from its button: highlight it on the board too.
   * @param {string} step
   */
  #glance(step) {
    this.#look(step);
    this.board.point(step);
  }

  #preview() {
    this.#consider(this.#rotation.lookedMove);
  }

  /** @param {Move | null | undefined} move */
  #consider(move) {
    this.#previewed = move ?? null;
    this.board.presume(turnOf(this.#previewed));
    this.emit("consider", this.#previewed);
  }

  // Showing.

  #show() {
    const { isAsking, narrowing } = this.#question;
    this.#keepHeight();
    this.emit("asking", isAsking ? narrowing.followUp : "");
    this.#mark();
    this.#buttons.show();
    this.#consider(this.#question.isAsking ? this.#rotation.move : null);
  }

  /**
   * While a turn is composed on a small screen, the question gets no lower: the board over it would grow. A lesson has
   * one height for all its questions.
   */
  #keepHeight() {
    const asking = document.querySelector(".play-area:not(.stepwise) .asking");
    if (!(asking instanceof HTMLElement)) return;
    const isComposed = this.#question.isLaterPart || this.#question.narrowing.picked.length > 0;
    asking.style.minHeight = isComposed && !isLargeScreen() ? `${asking.getBoundingClientRect().height}px` : "";
  }

  /** Mark and preview again on the board, which may show another scene now. */
  #showOnBoard() {
    this.#mark();
    this.board.presume(turnOf(this.#previewed));
    this.emit("consider", this.#previewed);
  }

  #mark() {
    const { isAsking, narrowing, changeable, instead } = this.#question;
    const { offered, asked, picked } = narrowing;
    const first = isAsking ? narrowing.beginningsTo(this.board.places) : [];
    this.board.mark(isAsking ? { offered, asked, picked, first, changeable, instead } : undefined);
    this.#showTurnButton();
  }

  /** A button beside the piece that is being placed, or was just laid, turns it. */
  #showTurnButton() {
    const { isAsking, narrowing, nextTurn } = this.#question;
    const canTurn = isAsking && (this.#rotation.isOpen || nextTurn !== "");
    const place = nextTurn ? "" : narrowing.picked.find((step) => this.board.hasPlace(step));
    const turn =
      canTurn && button("⟳", () => this.#turn(), { class: "turn-here", "aria-hidden": "true", tabindex: -1 });
    this.board.showBeside(place ?? "", turn || null);
  }
}
