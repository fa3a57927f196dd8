// @ts-check
// One piece of a scene as an SVG element.

/** @typedef {import("../wire").RenderedPiece} Piece */

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
 */
export function drawPiece(element, piece) {
  element.setAttribute("class", piece.classes ?? "");
  element.style.transform = `translate(${piece.x ?? 0}px, ${piece.y ?? 0}px) rotate(${piece.turn ?? 0}deg)`;
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
  setTitle(element, piece.label);
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
 */
export function drawCopy(piece) {
  const copy = svg("g");
  drawPiece(copy, { ...piece, step: "", label: "" });
  return copy;
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
