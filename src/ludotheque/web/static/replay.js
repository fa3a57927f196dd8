// A whole match played again on the board of the table, from what the page itself carries: no server is asked.

import { Board } from "./board.js";
import { button, make, part } from "./dom.js";
import { scoreTable } from "./scores.js";
import { _ } from "./words.js";

const PAUSE = 1100; // milliseconds between two plies

export class Replay {
  /** `match` has `frames`, one for each ply: what was told, and what changed in the scene. */
  constructor(match) {
    this.frames = match.frames;
    this.scenes = []; // by ply: the whole scene, put together when it is first wanted
    this.ply = 0;
    this.timer = null;
    this.board = new Board(part("board"));
    this.slider = part("time");
    this.slider.max = this.last;
    this.tell();
    this.listen();
  }

  async begin() {
    const { backdrop, styles, at } = part("replay").dataset;
    await this.board.lay(backdrop, styles);
    this.go(this.linked() ?? Number(at));
    part("replay").dataset.state = "ready";
  }

  get last() {
    return this.frames.length - 1;
  }

  get isPlaying() {
    return this.timer !== null;
  }

  /** The ply that the address names: `#ply-12`. */
  linked() {
    const found = /^#ply-(\d+)$/.exec(location.hash);
    return found ? Math.min(Number(found[1]), this.last) : null;
  }

  scene(ply) {
    for (let next = this.scenes.length; next <= ply; next += 1) {
      this.scenes.push(changed(this.scenes[next - 1], this.frames[next].scene));
    }
    return this.scenes[ply];
  }

  go(ply) {
    this.ply = Math.min(Math.max(ply, 0), this.last);
    const scene = this.scene(this.ply);
    this.board.show(scene);
    part("tables").replaceChildren(...scene.tables.map((table) => scoreTable(table)));
    const words = this.frames[this.ply].lines.join(" ");
    part("banner").textContent = words || _("Move {ply}", { ply: this.ply });
    this.slider.value = this.ply;
    const told = _("{at} of {now}", { at: this.ply, now: this.last });
    this.slider.setAttribute("aria-valuetext", told);
    part("time-told").textContent = told;
    part("time-back").disabled = this.ply === 0;
    part("time-on").disabled = this.ply === this.last;
    for (const place of document.querySelectorAll("[data-ply]")) {
      place.classList.toggle("here", Number(place.dataset.ply) === this.ply);
    }
    this.showInLog();
    if (this.isPlaying && this.ply === this.last) this.pause();
  }

  /** Bring the latest line told so far into view, in the log alone. */
  showInLog() {
    const log = part("log");
    const latest = [...log.children].findLast((line) => Number(line.dataset.ply) <= this.ply);
    log.scrollTop = latest ? latest.offsetTop - log.offsetTop - log.clientHeight / 2 : 0;
  }

  // Playing.

  play() {
    if (this.ply === this.last) this.go(0);
    this.timer = setInterval(() => this.go(this.next()), PAUSE / Number(part("speed").value));
    this.showPlaying();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.showPlaying();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** The next ply at which there is anything to see or to read. */
  next() {
    let ply = this.ply + 1;
    while (ply < this.last && isEmpty(this.frames[ply])) ply += 1;
    return ply;
  }

  showPlaying() {
    part("play").textContent = this.isPlaying ? "❚❚" : "▶";
    part("play").setAttribute("aria-label", this.isPlaying ? _("Pause") : _("Play the match"));
  }

  step(plies) {
    this.pause();
    this.go(this.ply + plies);
  }

  // The log, and who asks.

  tell() {
    part("log").replaceChildren(
      ...this.frames.flatMap((frame, ply) =>
        frame.lines.map((line) =>
          make(
            "li",
            { "data-ply": ply },
            button(line, () => this.step(ply - this.ply)),
          ),
        ),
      ),
    );
  }

  listen() {
    part("play").addEventListener("click", () => this.toggle());
    part("time-back").addEventListener("click", () => this.step(-1));
    part("time-on").addEventListener("click", () => this.step(1));
    this.slider.addEventListener("input", () => this.step(Number(this.slider.value) - this.ply));
    part("speed").addEventListener("change", () => {
      if (!this.isPlaying) return;
      this.pause();
      this.play();
    });
    part("zoom-in").addEventListener("click", () => this.board.zoom(1.4));
    part("zoom-out").addEventListener("click", () => this.board.zoom(1 / 1.4));
    part("zoom-fit").addEventListener("click", () => this.board.fit());
    addEventListener("hashchange", () => this.follow());
    addEventListener("keydown", (event) => this.press(event));
  }

  /** Go where the address points, and bring the board into view. */
  follow() {
    const ply = this.linked();
    if (ply === null) return;
    this.step(ply - this.ply);
    part("replay").scrollIntoView({ block: "start" });
  }

  press(event) {
    if (
      event.target.closest?.("input, select, button, summary, a, [tabindex='0']") ||
      event.ctrlKey ||
      event.altKey ||
      event.metaKey
    )
      return;
    const keys = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.step(-this.ply),
      End: () => this.step(this.last - this.ply),
      " ": () => this.toggle(),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }
}

function isEmpty({ lines, scene }) {
  return lines.length === 0 && scene.pieces.length === 0 && !scene.gone?.length && !scene.order;
}

/** The scene that a change makes of the one before it. */
function changed(before, scene) {
  let pieces = new Map((before?.pieces ?? []).map((piece) => [piece.id, piece]));
  for (const id of scene.gone ?? []) pieces.delete(id);
  for (const piece of scene.pieces) pieces.set(piece.id, piece);
  if (scene.order) pieces = new Map(scene.order.map((id) => [id, pieces.get(id)]));
  return { ...before, ...scene, tables: scene.tables ?? before.tables, pieces: [...pieces.values()] };
}

const carried = document.getElementById("match");
if (carried) new Replay(JSON.parse(carried.textContent)).begin();
