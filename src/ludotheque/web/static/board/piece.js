// @ts-check
// One piece of a scene as an SVG element.

import { FLAT, facesOf, transformOf } from "./projection.js";

/** @typedef {import("../wire").RenderedPiece} Piece */
/** @typedef {import("./projection.js").Projection} Projection */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [name] its class
 */
export function svg(tag, name = "") {
  const element = document.createElementNS(SVG, tag);
  if (name) element.setAttribute("class", name);
  return element;
}

/**
 * Make an element look like a piece. What did not change stays, so that it can glide.
 * @param {SVGGElement} element
 * @param {Piece} piece
 * @param {Projection} [view]
 */
export function drawPiece(element, piece, view = FLAT) {
  element.setAttribute("class", piece.classes ?? "");
  element.style.transform = transformOf(view, piece);
  element.style.setProperty("--turn", `${piece.turn ?? 0}deg`); // for what stays upright on it
  setData(element, "step", piece.step);
  setData(element, "lights", piece.lights);
  const kind = piece.symbol ? "use" : piece.path ? "path" : "text";
  let shape = element.lastElementChild;
  if (shape?.tagName !== kind) {
    shape = svg(kind);
    element.replaceChildren(shape);
  }
  if (piece.symbol) useSymbol(shape, piece.symbol);
  else if (piece.path) setAttribute(shape, "d", piece.path);
  else if (shape.textContent !== (piece.text ?? "")) shape.textContent = piece.text ?? "";
  drawSides(element, shape, piece, view);
  setTitle(element, piece.label);
}

/**
 * Draw the sides of a body below its upper face.
 * @param {SVGGElement} element
 * @param {Element} upper
 * @param {Piece} piece
 * @param {Projection} view
 */
function drawSides(element, upper, { body, turn }, view) {
  for (const side of element.querySelectorAll(":scope > :is(.sides, .shade)")) side.remove();
  const faces = body ? facesOf(view, body, turn) : [];
  if (faces.length === 0) return;
  const whole = svg("path", "sides");
  whole.setAttribute("d", faces.map(({ corners }) => pathOf(corners)).join(""));
  upper.before(whole);
  for (const { corners, shade } of faces.filter((face) => face.shade > 0)) {
    const path = svg("path", "shade");
    path.setAttribute("d", pathOf(corners));
    path.setAttribute("fill-opacity", shade.toFixed(3));
    upper.before(path);
  }
}

/** @param {import("./camera.js").Point[]} corners */
function pathOf(corners) {
  return `M${corners.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join("L")}z`;
}

/**
 * Show a symbol. Its size changes nothing of what is drawn; without one, Firefox takes it to be as large as the board.
 * @param {Element} shape
 * @param {string} symbol
 */
function useSymbol(shape, symbol) {
  setAttribute(shape, "width", "1");
  setAttribute(shape, "height", "1");
  setAttribute(shape, "href", `#${symbol}`);
}

/**
 * A piece that cannot be chosen and says nothing: a ghost, or a copy that moves.
 * @param {Piece} piece
 * @param {Projection} [view]
 */
export function drawCopy(piece, view = FLAT) {
  const copy = svg("g");
  drawPiece(copy, { ...piece, step: "", label: "" }, view);
  return copy;
}

/** @param {Piece} [piece] */
export function isFinished(piece) {
  return /\bfinished\b/.test(piece?.classes ?? "");
}

/**
 * Set what has changed: even the same value would make the browser build a symbol again.
 * @param {Element} shape
 * @param {string} name
 * @param {string} value
 */
function setAttribute(shape, name, value) {
  if (shape.getAttribute(name) !== value) shape.setAttribute(name, value);
}

/**
 * @param {SVGGElement} element
 * @param {"step" | "lights"} name
 * @param {string | undefined} value
 */
function setData(element, name, value) {
  if (value) element.dataset[name] = value;
  else delete element.dataset[name];
}

/**
 * @param {SVGGElement} element
 * @param {string | undefined} label
 */
function setTitle(element, label) {
  const known = element.querySelector("title");
  if (!label) {
    known?.remove();
    return;
  }
  const title = known ?? element.insertBefore(svg("title"), element.firstChild);
  title.textContent = label;
}
