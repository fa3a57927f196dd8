// @ts-check
// Dragging a piece of the tray onto the board: picks it up, carries a copy with the pointer, and drops it on a place.

import { closest } from "../lib/dom.js";
import { drawCopy, svg } from "./piece.js";

/** @typedef {import("../wire").RenderedPiece} Piece */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {Point & {pointer: number, piece: Piece, step: string, isPicked: boolean, canScroll: boolean}} Held */
/**
 * @typedef {object} Owner
 * @property {(element: Element | null) => Piece | null} pieceAt
 * @property {(step: string) => void} pick
 * @property {(step: string) => void} look
 * @property {(step: string) => void} drop
 */

export const CHOOSABLE = ".choice, .picked, .change";
const CARRIED = `${CHOOSABLE}, .carry`; // what can be dragged; `carry`: that has no step of its own
const DRAG_DISTANCE = 8; // pixels a pointer moves before it drags
const HALF = 60; // half the side of what is carried, in units of the tray

export class Drag {
  /** Whether the pointer has dragged something since it went down. */
  hasDragged = false;
  /** @type {Held | null} what the pointer went down on */
  #held = null;
  /** @type {SVGSVGElement | null} */
  #copy = null;

  /**
   * @param {SVGSVGElement} tray
   * @param {HTMLElement} area in which the piece is carried
   * @param {Owner} owner
   */
  constructor(tray, area, owner) {
    this.tray = tray;
    this.area = area;
    this.owner = owner;
    document.addEventListener("pointerdown", () => this.#reset(), { capture: true });
    tray.addEventListener("pointerdown", (event) => this.#down(event));
    document.addEventListener("pointermove", (event) => this.#move(event));
    document.addEventListener("pointerup", (event) => this.#up(event));
    document.addEventListener("pointercancel", (event) => this.#cancel(event));
  }

  #reset() {
    this.hasDragged = false;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const element = closest(event, CARRIED);
    const piece = this.owner.pieceAt(element);
    const step = element?.dataset.step ?? "";
    if (!piece || !event.isPrimary || event.button !== 0) return;
    const isPicked = Boolean(element?.classList.contains("picked"));
    const canScroll = event.pointerType === "touch" && !element?.classList.contains("carry");
    this.#held = { x: event.clientX, y: event.clientY, pointer: event.pointerId, piece, step, isPicked, canScroll };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const held = this.#held;
    if (held?.pointer !== event.pointerId) return;
    if (!this.#copy) this.#start(held, event);
    if (!this.#copy) return;
    this.#carry(event);
    this.owner.look(this.#stepUnder(event));
  }

  /**
   * Begin to drag if the pointer has moved far enough; a finger that moves a choice sideways scrolls the tray instead.
   * @param {Held} held
   * @param {PointerEvent} event
   */
  #start(held, { clientX, clientY }) {
    const [across, down] = [Math.abs(clientX - held.x), Math.abs(clientY - held.y)];
    if (Math.hypot(across, down) < DRAG_DISTANCE) return;
    if (held.canScroll && across > down) this.#end();
    else this.#begin(held);
  }

  /** @param {Held} held */
  #begin({ piece, step, isPicked }) {
    this.hasDragged = true;
    this.#copy = svg("svg", "carried");
    this.#copy.setAttribute("viewBox", `${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}`);
    const size = 2 * HALF * (this.tray.getScreenCTM()?.a || 1);
    this.#copy.style.width = `${size}px`;
    this.#copy.style.height = `${size}px`;
    this.#copy.append(drawCopy({ ...piece, x: 0, y: 0 }));
    this.area.append(this.#copy);
    if (step && !isPicked) this.owner.pick(step);
  }

  /** @param {PointerEvent} event */
  #carry(event) {
    const { left, top } = this.area.getBoundingClientRect();
    if (this.#copy)
      this.#copy.style.transform = `translate(${event.clientX - left}px, ${event.clientY - top}px) translate(-50%, -50%)`;
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (this.#held?.pointer !== event.pointerId) return;
    const step = this.#copy ? this.#stepUnder(event) : "";
    this.#end();
    if (step) this.owner.drop(step);
  }

  /** @param {PointerEvent} event */
  #cancel(event) {
    if (this.#held?.pointer === event.pointerId) this.#end();
  }

  #end() {
    this.#copy?.remove();
    this.#copy = null;
    this.#held = null;
  }

  /**
   * The step of what is under the pointer on the board.
   * @param {PointerEvent} event
   */
  #stepUnder(event) {
    const root = this.area.getRootNode();
    const under = root instanceof ShadowRoot ? root.elementFromPoint(event.clientX, event.clientY) : null;
    if (!under || this.tray.contains(under)) return "";
    const place = under.closest("[data-step]");
    return place instanceof SVGElement ? (place.dataset.step ?? "") : "";
  }
}
