// @ts-check
// Pieces that travel: from the tray or another place to their place on the board, and along a finished line. A click ends
// all of it.
//
// A copy of the piece flies over the board in a drawing of its own, which browsers move without painting the board again;
// the piece itself is shown when its copy has landed.

import { isStill, pace } from "../lib/motion.js";
import { centreOf } from "./camera.js";
import { drawCopy, svg } from "./piece.js";
import { drawnBox, FLAT, matrixOf, placeOf, project } from "./projection.js";

/** @typedef {import("../wire").RenderedPiece} Piece */
/** @typedef {import("./camera.js").Point} Point */
/** @typedef {{element: SVGGElement, piece: Piece}} Shown */

const TRAVEL = 420; // milliseconds to a place on the board
const LIFT = 16; // pixels of the screen above its place from where a piece is put down
const MOST_FLIGHTS = 6; // more pieces that move at once are a jump in time
const FLARE = 1400; // milliseconds that what was finished is lit
const MOST_FLARES = 4;
const LONGEST_RUN = 3000; // milliseconds a piece takes along its path, at most
const STOPS = 48; // points of a path that a piece passes
const EASING = "cubic-bezier(0.3, 0.1, 0.2, 1)";

export class Travel {
  /** @type {Map<string, {box: DOMRect, symbol: string}> | null} by id: where the pieces of the tray were; not known yet */
  #tray = null;
  /** @type {Map<Animation, SVGGElement | null>} each with the piece that it is about */
  #running = new Map();
  view = FLAT;

  /**
   * @param {SVGSVGElement} board
   * @param {SVGGElement} layer for copies that are lit
   * @param {HTMLElement} all what is around board and tray
   */
  constructor(board, layer, all) {
    this.board = board;
    this.layer = layer;
    this.all = all;
    document.addEventListener("pointerdown", () => this.skip());
  }

  /** End all motions at once. */
  skip() {
    for (const animation of this.#running.keys()) animation.finish();
  }

  /** End the motions of pieces that are not on the board any more. */
  leave() {
    for (const [animation, piece] of this.#running) if (piece && !piece.isConnected) animation.finish();
  }

  /**
   * Remember where the pieces of the tray are, once for each change of the scene and before anything changes: to ask later
   * would lay out the page an additional time.
   * @param {Iterable<Shown>} shown
   */
  remember(shown) {
    if (this.#tray || isStill()) return;
    this.#tray = new Map();
    for (const { element, piece } of shown) {
      if (!piece.in_tray || !piece.symbol) continue;
      this.#tray.set(piece.id, { box: element.getBoundingClientRect(), symbol: piece.symbol });
    }
  }

  /** The scene has changed. */
  forget() {
    this.#tray = null;
  }

  /**
   * Let pieces that are new on the board, or elsewhere than before, come there: from the tray, from their old place, or
   * from just above.
   * @param {Shown[]} shown
   * @param {Map<string, Piece>} before the pieces of the old scene by id
   * @param {Map<string, Piece>} scene those of the new one
   */
  bring(shown, before, scene) {
    if (isStill() || shown.length === 0 || shown.length > MOST_FLIGHTS) return;
    const flights = shown.map(({ element, piece }) => ({
      element,
      piece,
      tray: this.#placeInTray(piece, scene),
      old: before.get(piece.id),
    }));
    requestAnimationFrame(() => {
      const { unit, toScreen } = this.#screen(); // with the layout of the frame
      for (const { element, piece, tray, old } of flights.filter(({ element }) => element.isConnected)) {
        const to = toScreen(placeOf(this.view, piece));
        const middle = toScreen(centreOf(drawnBox(this.view, piece, element.getBBox())));
        const from = tray
          ? this.#start(tray, to, middle)
          : old && !old.in_tray
            ? toScreen(placeOf(this.view, old))
            : to;
        this.#land(element, piece, unit, from, to);
      }
    });
  }

  /**
   * The start of a piece, so that its middle is that of its place in the tray.
   * @param {DOMRect} tray
   * @param {Point} to
   * @param {Point} middle of the piece at its place
   */
  #start(tray, to, middle) {
    const { left, top } = this.all.getBoundingClientRect();
    const { x, y } = centreOf(tray);
    return { x: x - left + to.x - middle.x, y: y - top + to.y - middle.y };
  }

  /**
   * @param {SVGGElement} element
   * @param {Piece} piece
   * @param {number} unit pixels of a unit of the board
   * @param {Point} from
   * @param {Point} to
   */
  async #land(element, piece, unit, from, to) {
    element.classList.add("flying-there");
    const above = { transform: at({ x: to.x, y: to.y - LIFT }), offset: 0.8, easing: "ease-in" };
    const frames = [
      { transform: at(from), opacity: from === to ? 0 : 1 },
      { ...above, opacity: 1 },
      { transform: at(to) },
    ];
    await this.#fly(element, piece, unit, frames, TRAVEL);
    element.classList.remove("flying-there");
  }

  /**
   * The place of a piece in the tray: the same piece, or one that looks like it and is gone.
   * @param {Piece} piece
   * @param {Map<string, Piece>} scene
   */
  #placeInTray(piece, scene) {
    const same = this.#tray?.get(piece.id);
    if (same) return same.box;
    for (const [id, { box, symbol }] of this.#tray ?? []) {
      if (symbol === piece.symbol && scene.get(id)?.symbol !== symbol) return box;
    }
    return null;
  }

  /**
   * Move a copy of a piece along a path, once.
   * @param {Shown} shown
   * @param {string} along
   */
  run({ element, piece }, along) {
    if (isStill()) return;
    const path = svg("path");
    path.setAttribute("d", along);
    const length = path.getTotalLength();
    const points = Array.from({ length: STOPS + 1 }, (_, stop) => path.getPointAtLength((stop / STOPS) * length));
    requestAnimationFrame(() => {
      if (!element.isConnected) return;
      const { unit, toScreen } = this.#screen();
      const frames = points.map((point) => ({ transform: at(toScreen(project(this.view, point))) }));
      this.#fly(element, piece, unit, frames, Math.min(LONGEST_RUN, 600 + 3 * length));
    });
  }

  /**
   * Light pieces that were finished, once.
   * @param {Piece[]} pieces
   */
  flare(pieces) {
    if (isStill() || pieces.length > MOST_FLARES) return;
    for (const piece of pieces) {
      const copy = drawCopy(piece, this.view);
      copy.classList.add("flare");
      this.layer.append(copy);
      const frames = [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 0 }];
      this.#animate(copy, null, frames, FLARE).then(() => copy.remove());
    }
  }

  /** The pixels of a unit of the board, and the way from its points to points in what is around it. */
  #screen() {
    const matrix = this.board.getScreenCTM();
    const { left, top } = this.all.getBoundingClientRect();
    const toScreen = (/** @type {Point} */ { x, y }) => {
      const point = new DOMPoint(x, y).matrixTransform(matrix ?? undefined);
      return { x: point.x - left, y: point.y - top };
    };
    return { unit: matrix?.a ?? 1, toScreen };
  }

  /**
   * Move a copy of a piece over the board, in a drawing of its own with the units of the board.
   * @param {SVGGElement} element
   * @param {Piece} piece
   * @param {number} unit pixels of a unit of the board
   * @param {Keyframe[]} frames
   * @param {number} duration at the usual pace
   */
  async #fly(element, piece, unit, frames, duration) {
    const [drawing, layer, copy] = [svg("svg", "flying"), svg("g", "pieces"), drawCopy(piece, this.view)];
    copy.style.transform = `${matrixOf(this.view)} rotate(${piece.turn ?? 0}deg)`;
    drawing.setAttribute("viewBox", "0 0 1 1");
    drawing.style.width = `${unit}px`;
    drawing.style.height = `${unit}px`;
    layer.append(copy);
    drawing.append(layer);
    this.all.append(drawing);
    await this.#animate(drawing, element, frames, duration);
    drawing.remove();
  }

  /**
   * @param {SVGElement} drawing
   * @param {SVGGElement | null} piece that it is about
   * @param {Keyframe[]} frames
   * @param {number} duration at the usual pace
   */
  async #animate(drawing, piece, frames, duration) {
    const animation = drawing.animate(frames, { duration: duration * pace(), easing: EASING });
    this.#running.set(animation, piece);
    await animation.finished.catch(() => null); // cancelled: the piece has gone
    this.#running.delete(animation);
  }
}

/** @param {Point} point */
function at({ x, y }) {
  return `translate(${x}px, ${y}px)`;
}
