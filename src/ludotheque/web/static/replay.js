// @ts-check
// A whole match played again on the board of the table, from what the page itself carries: no server is asked.

import { Board } from "./board/board.js";
import { GameLine } from "./board/game_line.js";
import { BETTER, WORSE } from "./board/ghosts.js";
import { patchScene } from "./board/scene.js";
import { button, closest, make, part } from "./lib/dom.js";
import { _ } from "./lib/translate.js";
import { scoreTable } from "./play/scores.js";

/** @typedef {import("./wire").Film} Film */
/** @typedef {import("./wire").Frame} Frame */
/** @typedef {import("./board/scene.js").Scene} Scene */
/** @typedef {import("./board/game_line.js").Position} Position */

const PAUSE = 1100; // milliseconds between two plies
const CONTROLS = "input, select, button, summary, a, [tabindex='0']";

class Replay {
  #slider = part("time", HTMLInputElement);
  #speed = part("speed", HTMLSelectElement);
  #play = part("play");
  #back = part("time-back", HTMLButtonElement);
  #next = part("time-on", HTMLButtonElement);
  #log = part("log");
  #board = new Board(part("board"));
  /** @type {Scene[]} by ply, each put together when it is first wanted */
  #scenes = [];
  #ply = 0;
  #timer = 0; // 0: not playing
  /** @type {GameLine<Position> | null} the better line that is shown instead of the match */
  #line = null;
  #compared = 0; // the ply whose better move is shown beside the one played; 0: none

  /**
   * @param {Film} match a frame for each ply: what was said, and what changed in the scene; and the better lines of a
   * review
   */
  constructor({ frames, lines = [] }) {
    this.frames = frames;
    this.lines = new Map(lines.map((each) => [each.ply, each]));
    this.#slider.max = String(this.last);
    this.#fillLog();
    this.#listen();
    if (lines.length > 0) this.#listenToLines();
  }

  async begin() {
    const { backdrop = "", styles = "", at } = part("replay").dataset;
    await this.#board.load(backdrop, styles);
    this.#go(this.#linked() ?? Number(at));
    part("replay").dataset.state = "ready";
  }

  /** The last ply of the match, or of the line that is shown. */
  get last() {
    return this.#line?.last ?? this.frames.length - 1;
  }

  get #isPlaying() {
    return this.#timer !== 0;
  }

  /** The ply that the address names: `#ply-12`. */
  #linked() {
    const found = /^#ply-(\d+)$/.exec(location.hash);
    return found ? Math.min(Number(found[1]), this.last) : null;
  }

  /** @param {number} ply */
  #sceneAt(ply) {
    for (const frame of this.frames.slice(this.#scenes.length, ply + 1)) {
      this.#scenes.push(patchScene(this.#scenes.at(-1) ?? null, frame.scene));
    }
    return this.#scenes[ply];
  }

  /** @param {number} ply */
  #go(ply) {
    this.#ply = Math.min(Math.max(ply, 0), this.last);
    const position = this.#line?.viewAt(this.#ply);
    const scene = position?.scene ?? this.#sceneAt(this.#ply);
    if (scene) {
      this.#board.show(scene);
      part("tables").replaceChildren(...scene.tables.map((table) => scoreTable(table)));
    }
    const marks = position?.marks ?? [];
    this.#board.ghosts.show(
      "mark",
      marks.map((mark, place) => ({ ...mark, number: place + 1 })),
    );
    part("banner").textContent = this.#words();
    this.#showPly();
    if (this.#isPlaying && this.#ply === this.last) this.#pause();
  }

  /** The events of this ply. */
  #words() {
    const line = this.#line;
    if (!line) return this.frames[this.#ply]?.lines.join(" ") || _("Move {ply}", { ply: this.#ply });
    const [move, moves] = [Math.max(0, this.#ply - line.start), line.length];
    const said = line.log.filter(({ ply }) => ply === this.#ply).map(({ text }) => text);
    return [_("Better line, not played: move {move} of {moves}", { move, moves }), ...said].join(" – ");
  }

  #showPly() {
    const text = _("{at} of {now}", { at: this.#ply, now: this.last });
    this.#slider.value = String(this.#ply);
    this.#slider.setAttribute("aria-valuetext", text);
    part("position-text").textContent = text;
    this.#back.disabled = this.#ply === 0;
    this.#next.disabled = this.#ply === this.last;
    for (const place of document.querySelectorAll("[data-ply]")) {
      place.classList.toggle("here", !this.#line && Number(place.getAttribute("data-ply")) === this.#ply);
    }
    this.#scrollLog();
  }

  /** Bring the latest line into view, in the log alone. */
  #scrollLog() {
    const lines = [...this.#log.querySelectorAll("li")];
    const latest = lines.findLast((line) => Number(line.dataset.ply) <= this.#ply);
    this.#log.scrollTop = latest ? latest.offsetTop - this.#log.offsetTop - this.#log.clientHeight / 2 : 0;
  }

  // Playing.

  #start() {
    if (this.#ply === this.last) this.#go(this.#line?.decision ?? 0);
    this.#timer = setInterval(() => this.#go(this.#nextEvent()), PAUSE / Number(this.#speed.value));
    this.#showPlaying();
  }

  #pause() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#showPlaying();
  }

  #toggle() {
    if (this.#isPlaying) this.#pause();
    else this.#start();
  }

  /** The next ply at which there is anything to see or to read. */
  #nextEvent() {
    if (this.#line) return this.#ply + 1;
    const next = this.frames.findIndex((frame, ply) => ply > this.#ply && !isEmpty(frame));
    return next < 0 ? this.last : next;
  }

  #showPlaying() {
    this.#play.textContent = this.#isPlaying ? "❚❚" : "▶";
    this.#play.setAttribute("aria-label", this.#isPlaying ? _("Pause") : _("Play the match"));
  }

  /** @param {number} plies */
  #step(plies) {
    this.#pause();
    this.#go(this.#ply + plies);
  }

  #fillLog() {
    const lines = this.frames.flatMap((frame, ply) =>
      frame.lines.map((line) =>
        make(
          "li",
          { "data-ply": ply },
          button(line, () => this.#leaveFor(ply)),
        ),
      ),
    );
    this.#log.replaceChildren(...lines);
  }

  #listen() {
    this.#play.addEventListener("click", () => this.#toggle());
    this.#back.addEventListener("click", () => this.#step(-1));
    this.#next.addEventListener("click", () => this.#step(1));
    this.#slider.addEventListener("input", () => this.#step(Number(this.#slider.value) - this.#ply));
    this.#speed.addEventListener("change", () => {
      if (!this.#isPlaying) return;
      this.#pause();
      this.#start();
    });
    this.#board.gestures.listenToButtons();
    addEventListener("hashchange", () => this.#follow());
    addEventListener("keydown", (event) => this.#press(event));
  }

  /** Go where the address points, and bring the board into view. */
  #follow() {
    const ply = this.#linked();
    if (ply === null) return;
    this.#leaveFor(ply);
    part("replay").scrollIntoView({ block: "start" });
  }

  // Better lines.

  #listenToLines() {
    document.addEventListener("click", (event) => {
      const better = closest(event, "[data-better]")?.dataset.better;
      if (better !== undefined) this.#compare(Number(better));
    });
    part("play-better").addEventListener("click", () => this.#playLine());
    part("play-played").addEventListener("click", () => this.#playMatch());
  }

  /**
   * Draw the move that was played and the better one on the board before them.
   * @param {number} ply
   */
  #compare(ply) {
    const found = this.lines.get(ply);
    if (!found) return;
    this.#compared = ply;
    this.#leaveFor(ply - 1);
    part("compared").hidden = false;
    part("replay").scrollIntoView({ block: "start" });
    this.#board.showHints([
      { ghost: found.played, number: "✗", colour: WORSE },
      { ghost: found.better, number: "✓", colour: BETTER },
    ]);
  }

  #playLine() {
    const found = this.lines.get(this.#compared);
    const scene = this.#sceneAt(this.#compared - 1);
    if (!found || !scene) return;
    /** @type {Position} */
    const before = { scene };
    this.#take(new GameLine(before, found.line));
    this.#step(this.#compared - this.#ply);
    this.#start();
  }

  #playMatch() {
    this.#leaveFor(this.#compared);
    this.#start();
  }

  /**
   * Show the positions of a line; null: those of the match.
   * @param {GameLine<Position> | null} line
   */
  #take(line) {
    this.#line = line;
    this.#slider.max = String(this.last);
    part("log").classList.toggle("later", line !== null);
    if (this.lines.size === 0) return;
    part("play-better").setAttribute("aria-pressed", String(line !== null));
    part("play-played").setAttribute("aria-pressed", String(line === null));
  }

  /**
   * Leave the line, if one is shown, for a ply of the match.
   * @param {number} ply
   */
  #leaveFor(ply) {
    this.#take(null);
    this.#step(ply - this.#ply);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (closest(event, CONTROLS) || event.ctrlKey || event.altKey || event.metaKey) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.#step(-1),
      ArrowRight: () => this.#step(1),
      Home: () => this.#step(-this.#ply),
      End: () => this.#step(this.last - this.#ply),
      " ": () => this.#toggle(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

/** @param {Frame} frame */
function isEmpty({ lines, scene }) {
  return (
    lines.length === 0 && scene.pieces.length === 0 && !scene.gone?.length && !Object.keys(scene.follows ?? {}).length
  );
}

const carried = document.getElementById("match");
if (carried) new Replay(JSON.parse(carried.textContent ?? "")).begin();
