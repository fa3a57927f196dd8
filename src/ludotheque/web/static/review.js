// How it went: points by source, charts, and the review by a bot. The server draws them; here they are fetched, brought
// up to date, and every move in them leads to its moment on the board.

import { get, post } from "./api.js";
import { part } from "./dom.js";
import { toast } from "./toast.js";
import { _ } from "./words.js";

const LOOK_AGAIN = 1000; // milliseconds between two looks at the progress
const SETTLE = 1500; // a running game changes often: draw again when it has been quiet for so long

export class Review {
  constructor(table, timeline) {
    this.table = table;
    this.url = `/api/tables/${table}/review`;
    this.timeline = timeline;
    this.view = null;
    this.fold = part("story-fold");
    this.host = part("story");
    this.fold.addEventListener("toggle", () => this.fold.open && this.draw());
    this.host.addEventListener("click", (event) => this.follow(event));
    part("review-form").addEventListener("submit", (event) => this.start(event));
    for (const change of ["past", "now"]) timeline.addEventListener(change, () => this.mark());
  }

  show(view) {
    const ended = view.over && !this.view?.over;
    const moved = view.version !== this.view?.version;
    this.view = view;
    part("room").classList.toggle("reviewing", view.over);
    if (ended) this.end();
    else if (moved && this.fold.open) this.drawSoon();
  }

  /** The game is over: show everything, and whether there is a review. */
  end() {
    if (this.fold.open) this.draw();
    else this.fold.open = true;
    this.watch();
  }

  // What the server draws.

  drawSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.draw(), SETTLE);
  }

  async draw() {
    const query = new URLSearchParams({ viewer: this.view.viewer, lang: document.documentElement.lang });
    try {
      const response = await fetch(`/t/${this.table}/review?${query}`);
      if (!response.ok) throw new Error(_("That did not work."));
      this.put(await response.text());
    } catch (error) {
      toast(error instanceof TypeError ? _("The server does not answer.") : error.message);
    }
  }

  /** Put it in place; what was unfolded stays so. */
  put(markup) {
    const unfolded = [...this.host.querySelectorAll("details")].map((fold) => fold.open);
    this.host.replaceChildren(document.createRange().createContextualFragment(markup));
    this.host.querySelectorAll("details").forEach((fold, place) => { fold.open = unfolded[place] ?? fold.open; });
    this.mark();
  }

  /** Go to the move that was clicked, in a chart or in a table. */
  follow(event) {
    const ply = event.target.closest("[data-ply]")?.dataset.ply;
    if (ply === undefined) return;
    event.preventDefault();
    this.timeline.go(Number(ply));
  }

  /** Mark the moment that the board shows. */
  mark() {
    if (!this.view) return;
    const at = String(this.timeline.at ?? this.view.last_ply);
    for (const place of this.host.querySelectorAll("[data-ply]")) place.classList.toggle("here", place.dataset.ply === at);
  }

  // The review by a bot.

  async start(event) {
    event.preventDefault();
    try {
      this.tell(await post(this.url, { seconds: Number(part("review-form").elements.seconds.value) }));
      this.watch();
    } catch (error) {
      toast(error.message);
    }
  }

  /** Look how far it has come, until it is done. */
  async watch() {
    clearTimeout(this.watching);
    const progress = await get(`${this.url}/progress`).catch(() => null);
    if (progress) this.tell(progress);
    if (progress?.state === "done") this.draw();
    else if (progress?.state === "running" || !progress) this.watching = setTimeout(() => this.watch(), LOOK_AGAIN);
  }

  tell({ state, done, total }) {
    part("review-panel").hidden = false;
    part("review-panel").dataset.state = state;
    part("review-form").hidden = state === "running" || (this.view.mine.length === 0 && !this.view.host);
    part("review-go").textContent = state === "done" ? _("Review again") : _("Review by the bot");
    part("review-progress").hidden = state !== "running";
    part("review-bar").max = Math.max(1, total);
    part("review-bar").value = done;
    part("review-told").textContent = told(state, done, total);
  }
}

function told(state, done, total) {
  if (state === "running") return _("The bot has judged {done} of {total} decisions.", { done, total });
  if (state === "failed") return _("The review broke off. Try again.");
  if (state === "outdated") return _("There is a review by another version of Ludotheque. Have it made again.");
  if (state === "done") return _("Reviewed: {total} decisions.", { total });
  return _("A bot can judge every decision.");
}
