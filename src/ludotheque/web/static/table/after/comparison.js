// @ts-check
// A move of a reviewed game beside the better one: both are drawn on the board before them, and can be played out.

import { GameLine } from "../../board/game_line.js";
import { BETTER, WORSE } from "../../board/ghosts.js";
import { get } from "../../lib/api.js";
import { part } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { positionAt } from "../time/timeline.js";
import { tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */

export class Comparison {
  #host = part("compared");
  #better = part("play-better", HTMLButtonElement);
  #played = part("play-played", HTMLButtonElement);
  /** @type {Map<number, GameLine>} by ply: its better line */
  #lines = new Map();
  #ply = 0;
  /** @type {View | null} */
  #view = null;

  /**
   * @param {import("../time/timeline.js").Timeline} timeline
   * @param {import("../../board/board.js").Board} board
   */
  constructor(timeline, board) {
    this.timeline = timeline;
    this.board = board;
    timeline.on("at", () => this.#mark());
    timeline.on("live", () => this.#close());
    this.#better.addEventListener("click", () => attempt(() => this.#playBetter()));
    this.#played.addEventListener("click", () => this.#playPlayed());
  }

  /**
   * Draw the move that was played and the better one on the board before them.
   * @param {View} view
   * @param {number} ply
   */
  async show(view, ply) {
    const address = `${tableUrl(view.table)}/review/${ply}?viewer=${view.viewer}`;
    /** @type {import("../../wire").ReviewedMove | null} */
    const moves = await attempt(() => get(address));
    if (!moves) return;
    this.#open(view, ply);
    this.timeline.takeLine(null);
    await this.timeline.visit(ply - 1);
    const played = { ghost: moves.played, number: "✗", colour: WORSE };
    const better = moves.better ? [{ ghost: moves.better, number: "✓", colour: BETTER }] : [];
    this.board.showHints([played, ...better]);
  }

  /**
   * @param {View} view
   * @param {number} ply
   */
  #open(view, ply) {
    if (view.viewer !== this.#view?.viewer) this.#lines.clear();
    this.#view = view;
    this.#ply = ply;
    this.#host.hidden = false;
  }

  #close() {
    this.#host.hidden = true;
  }

  async #playBetter() {
    const [ply, view] = [this.#ply, this.#view];
    if (!view) return;
    this.#better.disabled = true;
    const line = await this.#lineAt(view, ply).finally(() => {
      this.#better.disabled = false;
    });
    if (this.#ply !== ply || this.#host.hidden) return;
    this.timeline.takeLine(line);
    this.timeline.play(ply);
  }

  #playPlayed() {
    this.timeline.takeLine(null);
    this.timeline.play(this.#ply);
  }

  /**
   * The better line of a ply; the server works it out once.
   * @param {View} view
   * @param {number} ply
   */
  async #lineAt(view, ply) {
    const known = this.#lines.get(ply);
    if (known) return known;
    const [before, line] = await Promise.all([
      positionAt(view, ply - 1),
      get(`${tableUrl(view.table)}/review/${ply}/line?viewer=${view.viewer}`),
    ]);
    const found = new GameLine(before, line);
    this.#lines.set(ply, found);
    return found;
  }

  /** Mark which of the two the board shows. */
  #mark() {
    const { line, ply } = this.timeline;
    this.#better.setAttribute("aria-pressed", String(line !== null));
    this.#played.setAttribute("aria-pressed", String(line === null && ply >= this.#ply));
  }
}
