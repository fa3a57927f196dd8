// @ts-check
// Pieces that travel: from the tray to their place on the board, and along a finished line. A click ends all of it.

import { pace } from "../lib/motion.js";
import { centreOf } from "./camera.js";
import { drawCopy, svg } from "./piece.js";
import { drawnBox, FLAT, project, transformOf } from "./projection.js";

/** @typedef {import("../wire").RenderedPiece} Piece */
/** @typedef {{element: SVGGElement, piece: Piece}} Shown */

const TRAVEL = 420; // milliseconds from the tray to the board
const LIFT = 16; // pixels of the screen above its place from where a piece is put down
const FLARE = 1400; // milliseconds that what was finished is lit
const MOST_FLARES = 4; // more things finished at once are a jump in time
const LONGEST_RUN = 3000; // milliseconds a piece takes along its path, at most
const STOPS = 48; // points of a path that a piece passes

export class Travel {
  /** @type {Map<string, {box: DOMRect, symbol: string}>} by id: where the pieces of the tray were */
  #tray = new Map();
  /** @type {Set<Animation>} */
  #running = new Set();
  view = FLAT;

  /**
   * @param {SVGSVGElement} board
   * @param {SVGGElement} layer for copies that move
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
    for (const animation of this.#running) animation.finish();
  }

  /**
   * Remember where the pieces of the tray are, before the scene changes.
   * @param {Iterable<Shown>} shown
   */
  remember(shown) {
    this.#tray.clear();
    if (pace() === 0) return;
    for (const { element, piece } of shown) {
      if (!piece.in_tray || !piece.symbol) continue;
      this.#tray.set(piece.id, { box: element.getBoundingClientRect(), symbol: piece.symbol });
    }
  }

  /**
   * Let pieces that are new on the board come from where they were in the tray, those that were there.
   * @param {Shown[]} shown
   * @param {Map<string, Piece>} scene the pieces of the new scene by id
   */
  fromTray(shown, scene) {
    const found = shown.flatMap((each) => {
      const from = this.#placeInTray(each.piece, scene);
      return from ? [{ ...each, from }] : [];
    });
    if (found.length > 0) requestAnimationFrame(() => this.#bringAll(found)); // with the layout of the frame
  }

  /** @param {(Shown & {from: DOMRect})[]} found */
  #bringAll(found) {
    const matrix = this.board.getScreenCTM()?.inverse();
    for (const { element, piece, from } of found) if (matrix) this.#bring(element, piece, from, matrix);
  }

  /**
   * @param {SVGGElement} element
   * @param {Piece} piece
   * @param {DOMRect} from
   * @param {DOMMatrix} matrix from the screen to the board
   */
  #bring(element, piece, from, matrix) {
    const { x, y } = new DOMPoint(from.left + from.width / 2, from.top + from.height / 2).matrixTransform(matrix);
    const to = centreOf(drawnBox(this.view, piece, element.getBBox()));
    const away = (/** @type {number} */ right, /** @type {number} */ down) => ({
      transform: `translate(${right}px, ${down}px) ${transformOf(this.view, piece)}`,
    });
    const above = { ...away(0, -LIFT * matrix.a), offset: 0.8, easing: "ease-in" };
    this.#animate(element, [away(x - to.x, y - to.y), above, away(0, 0)], TRAVEL);
  }

  /**
   * Where a piece lay in the tray: the same piece, or one that looks like it and is gone.
   * @param {Piece} piece
   * @param {Map<string, Piece>} scene
   */
  #placeInTray(piece, scene) {
    const same = this.#tray.get(piece.id);
    if (same) return same.box;
    for (const [id, { box, symbol }] of this.#tray) {
      if (symbol === piece.symbol && scene.get(id)?.symbol !== symbol) return box;
    }
    return null;
  }

  /**
   * Move a copy of a piece along a path, once.
   * @param {Piece} piece
   * @param {string} along
   */
  run(piece, along) {
    if (pace() === 0) return;
    const path = svg("path");
    path.setAttribute("d", along);
    const length = path.getTotalLength();
    const frames = Array.from({ length: STOPS + 1 }, (_, stop) => {
      const { x, y } = project(this.view, path.getPointAtLength((stop / STOPS) * length));
      return { transform: `translate(${x}px, ${y}px)` };
    });
    const runner = drawCopy(piece, this.view);
    this.layer.append(runner);
    this.#animate(runner, frames, Math.min(LONGEST_RUN, 600 + 3 * length)).then(() => runner.remove());
  }

  /**
   * Light pieces that were finished, once.
   * @param {Piece[]} pieces
   */
  flare(pieces) {
    if (pace() === 0 || pieces.length > MOST_FLARES) return;
    for (const piece of pieces) {
      const copy = drawCopy(piece, this.view);
      copy.classList.add("flare");
      this.layer.append(copy);
      this.#animate(copy, [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 0 }], FLARE).then(() =>
        copy.remove(),
      );
    }
  }

  /**
   * @param {SVGGElement} element
   * @param {Keyframe[]} frames
   * @param {number} duration at the usual pace
   */
  async #animate(element, frames, duration) {
    const animation = element.animate(frames, {
      duration: duration * pace(),
      easing: "cubic-bezier(0.3, 0.1, 0.2, 1)",
    });
    this.#running.add(animation);
    this.all.classList.add("moving");
    await animation.finished.catch(() => null); // cancelled: the piece has gone
    this.#running.delete(animation);
    this.all.classList.toggle("moving", this.#running.size > 0);
  }
}
