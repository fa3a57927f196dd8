// @ts-check
// A whole match played again on the board of the table, from what the page itself carries: no server is asked.

import { Board } from "./board/board.js";
import { patchScene } from "./board/scene.js";
import { button, closest, make, part } from "./lib/dom.js";
import { _ } from "./lib/translate.js";
import { scoreTable } from "./table/scores.js";

/** @typedef {import("./wire").Film} Film */
/** @typedef {import("./wire").Frame} Frame */
/** @typedef {import("./board/scene.js").Scene} Scene */

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

  /** @param {Film} match a frame for each ply: what was said, and what changed in the scene */
  constructor({ frames }) {
    this.frames = frames;
    this.#slider.max = String(this.last);
    this.#fillLog();
    this.#listen();
  }

  async begin() {
    const { backdrop = "", styles = "", at } = part("replay").dataset;
    await this.#board.load(backdrop, styles);
    this.#go(this.#linked() ?? Number(at));
    part("replay").dataset.state = "ready";
  }

  get last() {
    return this.frames.length - 1;
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
    const scene = this.#sceneAt(this.#ply);
    if (scene) {
      this.#board.show(scene);
      part("tables").replaceChildren(...scene.tables.map((table) => scoreTable(table)));
    }
    const lines = this.frames[this.#ply]?.lines ?? [];
    part("banner").textContent = lines.join(" ") || _("Move {ply}", { ply: this.#ply });
    this.#showPly();
    if (this.#isPlaying && this.#ply === this.last) this.#pause();
  }

  #showPly() {
    const text = _("{at} of {now}", { at: this.#ply, now: this.last });
    this.#slider.value = String(this.#ply);
    this.#slider.setAttribute("aria-valuetext", text);
    part("position-text").textContent = text;
    this.#back.disabled = this.#ply === 0;
    this.#next.disabled = this.#ply === this.last;
    for (const place of document.querySelectorAll("[data-ply]")) {
      place.classList.toggle("here", Number(place.getAttribute("data-ply")) === this.#ply);
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
    if (this.#ply === this.last) this.#go(0);
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
          button(line, () => this.#step(ply - this.#ply)),
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
    this.#board.viewport.listenToButtons();
    addEventListener("hashchange", () => this.#follow());
    addEventListener("keydown", (event) => this.#press(event));
  }

  /** Go where the address points, and bring the board into view. */
  #follow() {
    const ply = this.#linked();
    if (ply === null) return;
    this.#step(ply - this.#ply);
    part("replay").scrollIntoView({ block: "start" });
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
  return lines.length === 0 && scene.pieces.length === 0 && !scene.gone?.length && !scene.order;
}

const carried = document.getElementById("match");
if (carried) new Replay(JSON.parse(carried.textContent ?? "")).begin();
