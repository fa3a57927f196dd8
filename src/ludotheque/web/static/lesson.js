// @ts-check
// A lesson: step by step on a real board. The browser remembers how far the learner has come; the server keeps nothing.

import "./preferences.js";
import { Board } from "./board/board.js";
import { WORSE } from "./board/ghosts.js";
import { Sentences } from "./board/sentence.js";
import { post, RequestError } from "./lib/api.js";
import { isFocused, part } from "./lib/dom.js";
import { rememberedName } from "./lib/my_name.js";
import { unbroken } from "./lib/text.js";
import { attempt } from "./lib/toast.js";
import { _ } from "./lib/translate.js";
import { PieceLabel } from "./play/piece_label.js";
import { Prompt } from "./play/prompt.js";
import { Beside } from "./study/beside.js";
import { showLog } from "./study/log.js";
import { previewMoves } from "./study/preview.js";
import { tryMoves } from "./study/try_moves.js";
import { tellWhyNot } from "./study/why_not.js";

/** @typedef {import("./wire").LessonView} LessonView */
/** @typedef {{step: number, actions: number[]}} Place */
/** @typedef {{place: Place, before: Place[], finished?: boolean}} Progress */

const CHANGED = [400, 422]; // the answers to a place that is not on the way through the lesson any more

class LessonPage {
  #playArea = part("play-area");
  #board = new Board(part("board"));
  #prompt = new Prompt(this.#board, () => false);
  #beside = new Beside();
  #sentences = new Sentences(this.#board);
  #next = part("next", HTMLButtonElement);
  #back = part("back", HTMLButtonElement);
  #takeBack = part("take-back", HTMLButtonElement);
  #playOn = part("play-on", HTMLButtonElement);
  #newGame = part("new-game", HTMLButtonElement);
  #again = part("again", HTMLButtonElement);
  #following = part("following");
  #address = this.#playArea.dataset.address ?? "";
  #key = keyOf(this.#address);
  /** @type {Place} */
  #place = { step: 0, actions: [] };
  /** @type {Place[]} the places before, to go back to */
  #before = [];
  #finished = false;

  async begin() {
    const { backdrop = "", styles = "" } = this.#playArea.dataset;
    await this.#board.load(backdrop, styles);
    new PieceLabel(this.#board);
    this.#board.gestures.listenToButtons();
    tryMoves(this.#prompt, (action) => this.#try(action));
    previewMoves(this.#prompt, (action) => post(`${this.#address}/preview`, { ...this.#place, action }));
    tellWhyNot(this.#prompt, (picks) => post(`${this.#address}/why-not`, { ...this.#place, picks }));
    this.#next.addEventListener("click", () => this.#go({ ...this.#place, step: this.#place.step + 1 }));
    this.#back.addEventListener("click", () => this.#goBack());
    this.#takeBack.addEventListener("click", () => attempt(() => this.#load(this.#place)));
    this.#again.addEventListener("click", () => this.#go({ step: 0, actions: [] }));
    this.#playOn.addEventListener("click", () => attempt(() => this.#openTable()));
    this.#newGame.addEventListener("click", () => attempt(() => this.#openNewGame()));
    await this.#resume();
  }

  /** Go on where the learner stopped, or at the step that the address names: `#step-4`. */
  async #resume() {
    this.#restore();
    try {
      await this.#load(this.#place);
    } catch (error) {
      if (!(error instanceof RequestError && CHANGED.includes(error.status))) throw error;
      localStorage.removeItem(this.#key);
      await this.#load({ step: 0, actions: [] }, []);
    }
    const wanted = /^#step-(\d+)$/.exec(location.hash);
    if (wanted) await this.#jump(Number(wanted[1]) - 1);
  }

  #restore() {
    const kept = progress(this.#key);
    if (!kept) return;
    this.#place = kept.place;
    this.#before = kept.before;
    this.#finished = kept.finished ?? false;
  }

  /**
   * Go to a step: back to one that was reached before, else as far on as no move is asked for.
   * @param {number} step
   */
  async #jump(step) {
    const reached = [...this.#before, this.#place];
    const known = reached.findIndex((place) => place.step >= step);
    await this.#load(reached[known] ?? { ...this.#place, step }, reached.slice(0, known));
  }

  /** @param {Place} place */
  #go(place) {
    return attempt(() => this.#load(place, place.step === 0 ? [] : [...this.#before, this.#place]));
  }

  #goBack() {
    const place = this.#before.at(-1);
    if (place) attempt(() => this.#load(place, this.#before.slice(0, -1)));
  }

  /**
   * @param {Place} place
   * @param {Place[]} [before] the places before it, once it is reached
   */
  async #load(place, before = this.#before) {
    /** @type {LessonView} */
    const view = await post(this.#address, place);
    this.#before = before;
    this.#show(view);
  }

  /** @param {number} action */
  async #try(action) {
    const before = this.#place;
    /** @type {LessonView} */
    const view = await post(this.#address, { ...before, action });
    if (view.verdict === "right") this.#before.push(before);
    this.#show(view);
  }

  /** @param {LessonView} view */
  #show(view) {
    const isWrong = view.verdict === "wrong";
    if (!isWrong) this.#remember(view);
    const { scene, choices, log } = view.board;
    this.#board.show(scene);
    this.#beside.show(scene, view.highlights.length > 0);
    showLog(log, this.#sentences);
    this.#showText(view);
    if (view.step !== Number(this.#playArea.dataset.step)) scrollToTop();
    this.#prompt.ask(isWrong || !view.is_waiting ? [] : choices);
    this.#showButtons(view, isWrong);
    const isBegun = view.verdict === "right" && view.step === Number(this.#playArea.dataset.step);
    this.#board.highlight(isWrong ? [] : view.highlights, isBegun);
    if (view.tried) this.#board.ghosts.show("mark", [{ ghost: view.tried, number: "✗", colour: WORSE }]);
    this.#playArea.dataset.played = String(this.#place.actions.length);
    this.#playArea.dataset.step = String(view.step);
    this.#playArea.dataset.state = isWrong ? "wrong" : view.is_over ? "over" : view.is_waiting ? "asking" : "reading";
  }

  /** @param {LessonView} view */
  #remember({ step, actions, is_over }) {
    this.#place = { step, actions };
    this.#finished ||= is_over;
    const kept = { place: this.#place, before: this.#before, finished: this.#finished };
    localStorage.setItem(this.#key, JSON.stringify(kept));
    markFinished();
  }

  /** @param {LessonView} view */
  #showText({ step, steps, text, is_over, verdict, sentence, section }) {
    const progress = part("progress", HTMLProgressElement);
    progress.max = steps;
    progress.value = step;
    part("place").textContent = is_over ? _("Lesson finished") : _("Step {step} of {steps}", { step: step + 1, steps });
    part("text").textContent = unbroken(is_over ? (this.#playArea.dataset.finished ?? "") : text);
    const wrong = part("verdict");
    wrong.hidden = verdict !== "wrong";
    wrong.textContent = verdict === "wrong" ? unbroken(sentence) : "";
    const told = part("told");
    told.scrollTop = verdict === "wrong" ? told.scrollHeight : 0;
    const rule = part("rule", HTMLAnchorElement);
    rule.hidden = section === 0;
    rule.href = `${this.#playArea.dataset.rules}#section-${section}`;
  }

  /**
   * @param {LessonView} view
   * @param {boolean} isWrong
   */
  #showButtons({ is_waiting, is_over }, isWrong) {
    const hadFocus = this.#prompt.takeFocus() || isFocused(".asking");
    this.#back.hidden = isWrong || this.#before.length === 0;
    this.#next.hidden = isWrong || is_waiting || is_over;
    this.#takeBack.hidden = !isWrong;
    this.#playOn.hidden = !is_over;
    this.#newGame.hidden = !is_over;
    this.#again.hidden = !is_over;
    this.#following.hidden = !is_over;
    const first = [this.#takeBack, this.#next, this.#playOn].find((button) => !button.hidden);
    if (hadFocus && !isFocused("[data-part=question]")) (first ?? part("text")).focus({ preventScroll: true });
  }

  async #openNewGame() {
    const wanted = JSON.parse(this.#playArea.dataset.new ?? "{}");
    const [me, ...bots] = wanted.seats;
    /** @type {import("./wire").Opened} */
    const opened = await post("/api/tables", { ...wanted, seats: [{ ...me, name: rememberedName() }, ...bots] });
    location.assign(opened.url);
  }

  async #openTable() {
    /** @type {import("./wire").Opened} */
    const opened = await post(`${this.#address}/play`, this.#place);
    location.assign(opened.url);
  }
}

/** @param {string} address */
function keyOf(address) {
  return `lesson:${address}`;
}

/**
 * The browser's memory of a lesson.
 * @param {string} key
 * @returns {Progress | undefined}
 */
function progress(key) {
  return JSON.parse(localStorage.getItem(key) ?? "null") ?? undefined;
}

/** Tick the lessons of the list that were taken to their end. */
function markFinished() {
  for (const mark of document.querySelectorAll("[data-lesson]")) {
    if (mark instanceof HTMLElement) mark.hidden = !progress(keyOf(`/api/lessons/${mark.dataset.lesson}`))?.finished;
  }
}

/** Bring the board and the beginning of the text into view. */
function scrollToTop() {
  window.scrollTo(0, 0);
  document.querySelector(".asking")?.scrollTo(0, 0);
}

attempt(() => new LessonPage().begin());
