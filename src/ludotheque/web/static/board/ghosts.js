// @ts-check
// Moves drawn over the board: previews, hints, and marks of what was played. All of them draw the same thing, what a
// move puts on the board or changes there; they differ in how much of it, and in the number and colour of its badge.
// Below them is what the game draws on demand.

import { inkOn } from "../lib/colour.js";
import { centred, centreOf, distance, isInside, isWithin } from "./camera.js";
import { drawCopy, svg } from "./piece.js";
import { drawnBox, FLAT, placeOf } from "./projection.js";

/** @typedef {import("../wire").RenderedGhost} Ghost */
/** @typedef {import("../wire").RenderedPiece} Piece */
/** @typedef {"overlay" | "preview" | "hint" | "mark"} Kind */
/** @typedef {{ghost: Ghost, number?: number | string, colour?: string}} Drawing */
/** @typedef {{x: number, y: number}} Point */

export const BETTER = "#1f8045"; // the badge of a good move
export const WORSE = "#c9252d"; // and of a bad one
const BADGE = 11; // radius of a badge, in pixels of the screen
const LEAST_BADGE = 9; // beside a small piece, as on a phone
const OF_PIECE = 0.27; // of the smaller side of a piece is the radius of its badge
/** Clockwise from the upper right. */
const CORNERS = [
  { right: 1, down: -1 },
  { right: 1, down: 1 },
  { right: -1, down: 1 },
  { right: -1, down: -1 },
];
const COVERS = 1.5; // radii: so close a badge covers the middle of a piece
/** @type {Kind[]} one over the other */
const KINDS = ["overlay", "mark", "preview", "hint"];
const OFF = 1.25; // radii that a badge is off a corner, across and down: beside it, with a short line to it

export class Ghosts {
  /** @type {Map<Kind, SVGGElement[]>} the layers of each kind: over the board, and over the tray */
  #layers = new Map();
  /** @type {Map<Kind, SVGGElement[]>} the badges of each kind, over all that is drawn */
  #badges = new Map();
  /** @type {Map<Kind, Drawing[]>} what is drawn of each kind */
  #drawings = new Map();
  /** @type {Map<string, Set<Kind>>} by id of a piece: what dims or marks it */
  #touched = new Map();
  view = FLAT;

  /**
   * @param {SVGSVGElement} board
   * @param {SVGSVGElement} tray
   * @param {(id: string) => SVGGElement | undefined} pieceOf the piece on the board with an id
   * @param {() => Point[]} middlesOf the middles of the pieces on the board, which badges leave in view
   */
  constructor(board, tray, pieceOf, middlesOf) {
    this.areas = [board, tray];
    this.pieceOf = pieceOf;
    this.middlesOf = middlesOf;
    for (const kind of KINDS) this.#layers.set(kind, this.#newLayers(kind));
    for (const kind of KINDS) this.#badges.set(kind, this.#newLayers(kind));
  }

  /** @param {Kind} kind */
  #newLayers(kind) {
    const layers = this.areas.map(() => svg("g", `ghosts ${kind}`));
    layers.forEach((layer, place) => {
      this.areas[place]?.append(layer);
    });
    return layers;
  }

  /**
   * Draw moves instead of those of the same kind that are shown.
   * @param {Kind} kind
   * @param {Drawing[]} drawings
   */
  show(kind, drawings) {
    this.clear(kind);
    this.#drawings.set(kind, drawings);
    const copies = drawings.map((drawing) => this.#draw(kind, drawing));
    if (drawings.every(({ number }) => number === undefined)) return;
    // With the layout of the frame: badges are placed by the sizes of pieces on the screen.
    requestAnimationFrame(() => this.#drawings.get(kind) === drawings && this.#numberAll(kind, drawings, copies));
  }

  /**
   * @param {Kind} kind
   * @param {Drawing[]} drawings
   * @param {(SVGGElement | undefined)[]} copies what was drawn of the main piece of each
   */
  #numberAll(kind, drawings, copies) {
    /** @type {Map<SVGSVGElement, Point[]>} by area: the badges in it */
    const badges = new Map();
    const latest = new Map(drawings.map((drawing) => [drawing.ghost.pieces?.[0]?.id, drawing]));
    drawings.forEach((drawing, place) => {
      const [main] = drawing.ghost.pieces ?? [];
      // Not at what a later move is about too, such as a bid that was raised, nor in the tray, which has no room for it.
      const isUnmarked = kind === "mark" && (latest.get(main?.id) !== drawing || this.#isInTray(main));
      const element = kind === "mark" ? main && this.pieceOf(main.id) : copies[place];
      if (main && drawing.number !== undefined && !isUnmarked) this.#number(kind, main, element, drawing, badges);
    });
  }

  /**
   * Whether a piece is in the tray, perhaps again: a new round gives back what was laid in the one before.
   * @param {Piece | undefined} piece
   */
  #isInTray(piece) {
    const element = piece && this.pieceOf(piece.id);
    return Boolean(element ? this.areas[1]?.contains(element) : piece?.in_tray);
  }

  /** Draw everything again, as after a change of the view. */
  redraw() {
    for (const [kind, drawings] of [...this.#drawings]) this.show(kind, drawings);
  }

  /**
   * The drawings of a kind: over the board, and over the tray.
   * @param {Kind} kind
   * @returns {[Element[], Element[]]}
   */
  drawn(kind) {
    const [onBoard, inTray] = this.#layers.get(kind) ?? [];
    return [[...(onBoard?.children ?? [])], [...(inTray?.children ?? [])]];
  }

  /**
   * Whether the piece that is previewed lies at a point of the screen.
   * @param {Point} point
   */
  isPreviewedAt(point) {
    const boxes = (this.#layers.get("preview") ?? []).flatMap((layer) => [...layer.querySelectorAll(":scope > .main")]);
    return boxes.some((piece) => isInside(point, piece.getBoundingClientRect()));
  }

  /** @param {Kind} [kind] all kinds without it */
  clear(kind) {
    const kinds = kind ? [kind] : [...this.#layers.keys()];
    for (const each of kinds) {
      this.#drawings.delete(each);
      for (const layer of [...(this.#layers.get(each) ?? []), ...(this.#badges.get(each) ?? [])])
        layer.replaceChildren();
      for (const [id, touching] of this.#touched) if (touching.delete(each)) this.#restyle(id);
    }
  }

  /**
   * @param {Kind} kind
   * @param {Drawing} drawing
   * @returns {SVGGElement | undefined} what was drawn of the main piece
   */
  #draw(kind, { ghost, colour }) {
    const { pieces = [], changes = [], gone = [] } = ghost;
    const [main] = pieces;
    if (kind === "mark") {
      if (main && this.#isInTray(main) === Boolean(main.in_tray)) this.#touch(main.id, kind, colour);
      return;
    }
    /** @type {Map<Piece, SVGGElement>} */
    const copies = new Map();
    const drawn = kind === "preview" ? [...changes, ...pieces] : pieces;
    for (const piece of drawn.filter(({ symbol, path, text }) => symbol || path || text)) {
      const copy = drawCopy(piece, this.#viewOf(piece));
      copy.classList.toggle("main", piece === main);
      this.#layer(kind, piece)?.append(copy);
      copies.set(piece, copy);
    }
    if (kind === "preview") for (const id of [...drawn.map((piece) => piece.id), ...gone]) this.#touch(id, kind);
    return main && copies.get(main);
  }

  /**
   * @param {Kind} kind
   * @param {Piece} piece
   */
  #layer(kind, piece) {
    return this.#layers.get(kind)?.[piece.in_tray ? 1 : 0];
  }

  /**
   * The tray is always seen from above.
   * @param {Piece} piece
   */
  #viewOf(piece) {
    return piece.in_tray ? FLAT : this.view;
  }

  /**
   * A badge at a corner of a piece, off the piece itself and off the other badges.
   * @param {Kind} kind
   * @param {Piece} piece
   * @param {SVGGElement | undefined} element of the piece, or of its copy
   * @param {Drawing} drawing
   * @param {Map<SVGSVGElement, Point[]>} badges
   */
  #number(kind, piece, element, { number, colour }, badges) {
    const place = piece.in_tray ? 1 : 0;
    const [area, above] = [this.areas[place], this.#badges.get(kind)?.[place]];
    if (!area || !above) return;
    const scale = 1 / (area.getScreenCTM()?.a || 1);
    const placed = badges.get(area) ?? [];
    const view = this.#viewOf(piece);
    const none = { ...placeOf(view, piece), width: 0, height: 0 };
    const box = element && piece.symbol ? drawnBox(view, piece, element.getBBox()) : none;
    const half = { x: box.width / 2, y: box.height / 2 };
    const others = piece.in_tray ? [] : this.middlesOf();
    const radius = badgeRadius({ width: box.width / scale, height: box.height / scale });
    const { corner, off, at } = freeCorner(centreOf(box), half, radius * scale, placed, area.viewBox.baseVal, others);
    badges.set(area, [...placed, at]);
    const badge = svg("g", "badge");
    const aside = `translate(${off.x / scale}px, ${off.y / scale}px)`;
    badge.style.transform = `translate(${corner.x}px, ${corner.y}px) scale(var(--pixel, ${scale})) ${aside}`;
    if (colour) {
      badge.style.setProperty("--seat", colour);
      badge.style.setProperty("--on-seat", inkOn(colour));
    }
    const line = svg("line");
    line.setAttribute("x2", String(-off.x / scale));
    line.setAttribute("y2", String(-off.y / scale));
    const circle = svg("circle");
    circle.setAttribute("r", String(radius));
    const text = svg("text");
    text.textContent = String(number);
    badge.append(line, circle, text);
    above.append(badge);
  }

  // Pieces on the board that a drawing is about.

  /**
   * @param {string} id
   * @param {Kind} kind
   * @param {string} [colour]
   */
  #touch(id, kind, colour = "") {
    const touching = this.#touched.get(id) ?? new Set();
    this.#touched.set(id, touching.add(kind));
    if (colour) this.pieceOf(id)?.style.setProperty("--seat", colour);
    this.#restyle(id);
  }

  /** @param {string} id */
  #restyle(id) {
    const touching = this.#touched.get(id);
    this.pieceOf(id)?.classList.toggle("replaced", Boolean(touching?.has("preview")));
    this.pieceOf(id)?.classList.toggle("marked", Boolean(touching?.has("mark")));
    if (touching?.size === 0) this.#touched.delete(id);
  }
}

/**
 * The radius of the badge of a piece, in pixels as its size.
 * @param {import("./camera.js").Size} piece without a size where it is not drawn
 */
export function badgeRadius({ width, height }) {
  const side = Math.min(width, height);
  return side > 0 ? Math.min(BADGE, Math.max(LEAST_BADGE, OF_PIECE * side)) : BADGE;
}

/**
 * The first corner of a piece, clockwise from the upper right, where a badge outside of it is in view and covers no other
 * badge, and if there is such a one no middle of another piece, otherwise the one that is farthest from those; where there
 * is none, to the right of the first.
 * @param {{x?: number, y?: number}} piece
 * @param {Point} half its size
 * @param {number} radius of the badge
 * @param {Point[]} placed the other badges
 * @param {import("./camera.js").Box} view
 * @param {Point[]} [others] the middles of the other pieces
 * @returns {{corner: Point, off: Point, at: Point}} the corner, how far the badge is off it, and where that is
 */
export function freeCorner({ x = 0, y = 0 }, half, radius, placed, view, others = []) {
  const isFree = (/** @type {Point} */ at) => placed.every((other) => distance(other, at) >= 2 * radius);
  const places = CORNERS.map(({ right, down }) => {
    const corner = { x: x + right * half.x, y: y + down * half.y };
    const off = { x: right * OFF * radius, y: down * OFF * radius };
    return { corner, off, at: { x: corner.x + off.x, y: corner.y + off.y } };
  });
  const size = { width: 2 * radius, height: 2 * radius };
  const clearance = (/** @type {Point} */ at) =>
    Math.min(COVERS * radius, ...others.map((other) => distance(other, at)));
  const inView = places.filter(({ at }) => isFree(at) && isWithin(centred(size, at), view));
  const most = Math.max(...inView.map(({ at }) => clearance(at)));
  const free = inView.find(({ at }) => clearance(at) === most);
  const [first] = places;
  if (free || !first) return free ?? { corner: { x, y }, off: { x: 0, y: 0 }, at: { x, y } };
  while (!isFree(first.at)) {
    first.off.x += 2.1 * radius;
    first.at.x += 2.1 * radius;
  }
  return first;
}
