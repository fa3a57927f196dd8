// @ts-check
// A small picture of pieces that lie on the board, in a shadow tree with the styles and symbols of the game.

import { grown, isInside } from "./camera.js";
import { drawCopy, svg } from "./piece.js";
import { drawnBox, FLAT, placeOf } from "./projection.js";

/** @typedef {import("../wire").RenderedPiece} Piece */
/** @typedef {import("./camera.js").Box} Box */

const MARGIN = 0.05; // of the larger side, around the picture
// A reference to another element of the same tree.
const REFERENCE = /^#(.+)$|url\(["']?#([^"')]+)["']?\)/;

/**
 * The trace of a turn on the board: the last of its main pieces, on the one that it stands on. Null without any.
 * @param {import("./board.js").Board} board
 * @param {import("../wire").RenderedGhost[]} ghosts the moves of the turn
 */
export function pictureOf(board, ghosts) {
  const boxes = new Map(ghosts.flatMap(({ pieces = [] }) => pieces).flatMap((piece) => boxed(piece, board)));
  const mains = ghosts.flatMap(({ pieces = [] }) => pieces.slice(0, 1)).filter((piece) => boxes.has(piece));
  const last = mains.at(-1);
  const ground = last && mains.map((piece) => boxes.get(piece)).find((box) => box && isInside(at(last), box));
  if (!ground) return null;
  const shown = [...boxes.keys()].filter((piece) => isInside(at(piece), ground));
  return picture(board.shadow, shown, ground);
}

/**
 * A symbol by itself; `fit` shows as much as it takes.
 * @param {import("./board.js").Board} board
 * @param {{symbol: string, turn?: number}} shown
 */
export function pictureOfSymbol({ shadow }, { symbol, turn = 0 }) {
  const [drawing, layer, symbols] = [svg("svg", "picture"), svg("g", "pieces"), svg("defs")];
  layer.append(drawCopy({ id: "", symbol, turn }));
  symbols.append(...referred(layer, shadow, new Set()));
  drawing.append(symbols, layer);
  return drawing;
}

/**
 * Show all of what a picture holds, which is in the document, and nothing around it.
 * @param {SVGElement} drawing
 */
export function fit(drawing) {
  const layer = drawing.querySelector(".pieces");
  if (!(layer instanceof SVGGElement)) return;
  const { x, y, width, height } = layer.getBBox();
  drawing.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
}

/**
 * Show a picture in a shadow tree with the styles of its board.
 * @param {HTMLElement} host
 * @param {import("./board.js").Board} board
 * @param {SVGElement} drawing
 */
export function showPicture(host, board, drawing) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = board.shadow.adoptedStyleSheets;
  root.replaceChildren(drawing);
}

/**
 * A piece with its box, if it is drawn on the board now.
 * @param {Piece} piece
 * @param {import("./board.js").Board} board
 * @returns {[Piece, Box][]}
 */
function boxed(piece, board) {
  const element = board.elementOf(piece.id);
  const isDrawn = !piece.in_tray && !/\bspot\b/.test(piece.classes ?? "") && (piece.symbol || piece.path || piece.text);
  return element && isDrawn ? [[piece, drawnBox(FLAT, piece, element.getBBox())]] : [];
}

/** @param {Piece} piece */
function at(piece) {
  return placeOf(FLAT, piece);
}

/**
 * @param {ShadowRoot} source where the symbols are
 * @param {Piece[]} pieces
 * @param {Box} box
 */
function picture(source, pieces, box) {
  const { x, y, width, height } = grown(box, MARGIN * Math.max(box.width, box.height));
  const [drawing, layer, symbols] = [svg("svg", "picture"), svg("g", "pieces"), svg("defs")];
  drawing.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  for (const side of ["width", "height"]) drawing.setAttribute(side, "100%");
  layer.append(...pieces.map((piece) => drawCopy(piece)));
  const known = new Set();
  const patterns = [...source.querySelectorAll("pattern")].flatMap((pattern) => copies(pattern, source, known));
  symbols.append(...patterns, ...referred(layer, source, known)); // styles refer to patterns
  drawing.append(symbols, layer);
  return drawing;
}

/**
 * Copies of all that an element refers to, directly or not, each once.
 * @param {Element} element
 * @param {ShadowRoot} source
 * @param {Set<string>} known the ids of those that are copied already
 * @returns {Element[]}
 */
function referred(element, source, known) {
  const values = [element, ...element.querySelectorAll("*")].flatMap((each) => [...each.attributes]);
  const ids = values.flatMap(({ value }) => REFERENCE.exec(value)?.slice(1).filter(Boolean) ?? []);
  return ids.flatMap((id) => {
    const found = source.getElementById(id);
    return found ? copies(found, source, known) : [];
  });
}

/**
 * A copy of an element, and of all that it refers to, unless there is one already.
 * @param {Element} element
 * @param {ShadowRoot} source
 * @param {Set<string>} known
 * @returns {Element[]}
 */
function copies(element, source, known) {
  if (known.has(element.id)) return [];
  known.add(element.id);
  return [/** @type {Element} */ (element.cloneNode(true)), ...referred(element, source, known)];
}
