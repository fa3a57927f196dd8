// @ts-check
// The game summary: points by source, charts, and the review by a bot. The server renders it; here it is fetched and
// kept up to date, and every move in it leads to its position on the board.

import { get, post } from "../../lib/api.js";
import { closest, field, make, part } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { TABLE } from "../tabs.js";
import { hasSay, tableUrl } from "../view.js";
import { Comparison } from "./comparison.js";
import { askedMistake, Tour } from "./tour.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../wire").Progress} Progress */

const POLL_EVERY = 1000; // milliseconds between two questions about the progress
const QUIET = 1500; // milliseconds without a move before the summary of a running game is fetched again

export class Review {
  #fold = part("summary-fold", HTMLDetailsElement);
  #host = part("summary");
  #form = part("review-form", HTMLFormElement);
  #panel = part("review-panel");
  #bar = part("review-bar", HTMLProgressElement);
  #url = "";
  #fetchTimer = 0;
  #pollTimer = 0;
  /** Whether the reader has asked for the review that is not there yet. */
  #isAwaited = false;
  /** @type {View | null} */
  #view = null;
  #comparison;
  /** @type {Tour | null} */
  #tour = null;

  /**
   * @param {import("../time/timeline.js").Timeline} timeline
   * @param {import("../../board/board.js").Board} board
   */
  constructor(timeline, board) {
    this.timeline = timeline;
    this.#comparison = new Comparison(timeline, board);
    timeline.on("at", () => this.#mark());
    this.#fold.addEventListener("toggle", () => this.#fold.open && this.#fetch());
    this.#host.addEventListener("click", (event) => this.#follow(event));
    this.#form.addEventListener("submit", (event) => this.#start(event));
    part("own-mistakes").addEventListener("click", (event) => this.#followMistakes(event));
    part("best-moments").addEventListener("click", (event) => this.#follow(event));
  }

  /** @param {View} view */
  follow(view) {
    const isEnd = view.over && !this.#view?.over;
    const isNew = view.version !== this.#view?.version || view.viewer !== this.#view.viewer;
    this.#view = view;
    this.#url = `${tableUrl(view.table)}/review`;
    part("play-area").classList.toggle("reviewing", view.over);
    if (view.hand_over !== null) this.#forget();
    else if (isEnd) this.#end();
    else if (isNew && this.#fold.open) this.#fetchSoon();
  }

  /** The next player at this screen may not know what this one does. */
  #forget() {
    clearTimeout(this.#fetchTimer);
    this.#host.replaceChildren();
  }

  /** The game is over: show everything, first of all, and whether there is a review. */
  #end() {
    part("tables").before(this.#fold);
    this.#fold.dataset.in = TABLE;
    if (this.#fold.open) this.#fetch();
    else this.#fold.open = true;
    this.#poll();
  }

  // Parts that the server renders.

  #fetchSoon() {
    clearTimeout(this.#fetchTimer);
    this.#fetchTimer = setTimeout(() => this.#fetch(), QUIET);
  }

  async #fetch() {
    const view = this.#view;
    if (!view) return;
    const query = new URLSearchParams({ viewer: String(view.viewer), lang: document.documentElement.lang });
    if (!this.#host.hasChildNodes()) this.#host.replaceChildren(make("p", { class: "dim loading" }, _("Loading…")));
    this.#host.setAttribute("aria-busy", "true");
    const markup = await attempt(() => fetchMarkup(`/t/${view.table}/review?${query}`));
    this.#host.removeAttribute("aria-busy");
    this.#host.querySelector(".loading")?.remove();
    if (markup !== null && view.viewer === this.#view?.viewer && this.#view.hand_over === null) this.#put(markup);
  }

  /**
   * Put it in place; what was unfolded stays so.
   * @param {string} markup
   */
  #put(markup) {
    const unfolded = [...this.#host.querySelectorAll("details")].map((fold) => fold.open);
    const hadMistakes = this.#hasMistakes;
    this.#host.replaceChildren(document.createRange().createContextualFragment(markup));
    this.#moveToResult(".own-mistakes", "own-mistakes");
    this.#moveToResult(".highlights", "best-moments");
    this.#moveToResult(".how", "how");
    this.#host.querySelectorAll("details").forEach((fold, place) => {
      fold.open = unfolded[place] ?? fold.open;
    });
    this.#mark();
    if (this.#isAwaited && this.#hasMistakes && !hadMistakes) this.#showOpener();
    this.#showAsked();
  }

  /** Bring the way to the mistakes into view: the reader may have scrolled down to the review. */
  #showOpener() {
    this.#isAwaited = false;
    part("mistakes").scrollIntoView({ block: "nearest" });
  }

  /**
   * Move what the reader wants to see first to the result.
   * @param {string} selector
   * @param {string} name of the part that holds it there
   */
  #moveToResult(selector, name) {
    const section = this.#host.querySelector(selector);
    part(name).replaceChildren(...(section ? [section] : []));
  }

  /**
   * Go to the move that was clicked, in a chart or in a table.
   * @param {MouseEvent} event
   */
  #follow(event) {
    const compared = closest(event, "[data-better]")?.dataset.better;
    if (compared !== undefined) {
      attempt(() => this.#compare(Number(compared)));
      return;
    }
    const ply = closest(event, "[data-ply]")?.dataset.ply;
    if (ply === undefined) return;
    event.preventDefault();
    this.timeline.takeLine(null);
    this.timeline.visit(Number(ply));
  }

  /**
   * Show the move of a ply beside the better one.
   * @param {number} ply
   */
  async #compare(ply) {
    if (this.#view) await this.#comparison.show(this.#view, ply);
  }

  /** @param {MouseEvent} event */
  #followMistakes(event) {
    if (!closest(event, "a") || event.ctrlKey || event.metaKey || event.shiftKey) return; // a link to a new tab or window
    event.preventDefault();
    this.#showMistakes(0);
  }

  /** Show the mistakes that the address asks for, once they are there. */
  #showAsked() {
    if (!new URL(location.href).searchParams.has("mistake") || !this.#hasMistakes || this.#tour) return;
    this.#showMistakes(askedMistake() ?? 0);
  }

  get #hasMistakes() {
    return part("own-mistakes").hasChildNodes();
  }

  /**
   * Show the mistakes one at a time.
   * @param {number} place of the first one
   */
  #showMistakes(place) {
    this.#tour ??= new Tour(this.#comparison);
    if (this.#view) this.#tour.open(this.#view, place);
  }

  /** Mark the position that the board shows. */
  #mark() {
    const at = this.timeline.line ? "" : String(this.timeline.ply);
    for (const place of this.#host.querySelectorAll("[data-ply]")) {
      place.classList.toggle("here", place.getAttribute("data-ply") === at);
    }
  }

  // The review by a bot.

  /** @param {SubmitEvent} event */
  async #start(event) {
    event.preventDefault();
    const seconds = Number(field(this.#form, "seconds", HTMLSelectElement).value);
    const bots = this.#form.elements.namedItem("bot"); // only where the server has bots of its own
    const bot = bots instanceof HTMLSelectElement ? bots.value : "";
    const progress = await attempt(() => post(this.#url, { seconds, bot }));
    if (!progress) return;
    this.#isAwaited = true;
    this.#showProgress(progress);
    this.#poll();
  }

  /** Ask for the progress until the review is done. */
  async #poll() {
    clearTimeout(this.#pollTimer);
    /** @type {Progress | null} */
    const progress = await get(`${this.#url}/progress`).catch(() => null);
    if (progress) this.#showProgress(progress);
    if (progress?.state === "done") this.#fetch();
    else if (progress?.state === "running" || !progress) this.#pollTimer = setTimeout(() => this.#poll(), POLL_EVERY);
  }

  /** @param {Progress} progress */
  #showProgress(progress) {
    const { state, done, total } = progress;
    this.#panel.hidden = false;
    this.#panel.dataset.state = state;
    this.#form.hidden = state === "running" || !this.#view || !hasSay(this.#view);
    part("review-go").textContent = state === "done" ? _("Review again") : _("Review with a bot");
    part("review-progress").hidden = state !== "running";
    this.#bar.max = Math.max(1, total);
    this.#bar.value = done;
    part("review-status").textContent = progressText(progress);
  }
}

/** @param {string} url */
async function fetchMarkup(url) {
  const response = await fetch(url).catch(() => Promise.reject(new Error(_("The server does not answer."))));
  if (!response.ok) throw new Error(_("That did not work."));
  return response.text();
}

/** @param {Progress} progress */
function progressText({ state, done, total, bot, problem }) {
  if (state === "running") return _("{done} of {total} decisions reviewed.", { done, total });
  if (state === "failed" && problem) return _("The review has ended: {problem}", { problem });
  if (state === "failed") return _("The review was interrupted. Try again.");
  if (state === "outdated") return _("This review was made by another version of Ludotheque. Run it again.");
  if (state === "done" && bot) return _("Reviewed: {total} decisions; better moves by {bot}.", { total, bot });
  if (state === "done") return _("Reviewed: {total} decisions.", { total });
  return _("A bot can review every decision.");
}
