// @ts-check
// The board: a backdrop that stays and pieces moved by id over it. It lives in a shadow tree, so that the styles and
// ids of a game's art never meet those of the page.
//
// Events: "step" (a piece that can be chosen was clicked, or the ghost was tapped), "unlit" (the step of a piece that was
// clicked and cannot be chosen now), "drop" (a piece of the tray was dragged to that step), "look"
// (the step under the pointer; "" for none) and "label" (what the piece under the pointer is, "" for none; and whether it is in the left half).

import { closest } from "../lib/dom.js";
import { Emitter } from "../lib/emitter.js";
import { longestRise } from "../lib/order.js";
import { hasMoved } from "../lib/pointer.js";
import { followTheme } from "../lib/theme.js";
import { _ } from "../lib/translate.js";
import { centreOf, isInside, isWithin } from "./camera.js";
import { Dots } from "./dots.js";
import { CHOOSABLE, Drag } from "./drag.js";
import { Framing } from "./framing.js";
import { Gestures } from "./gestures.js";
import { Ghosts } from "./ghosts.js";
import { BoardMap } from "./map.js";
import { drawPiece, isFinished, svg } from "./piece.js";
import { edgeOf, FLAT, matrixOf, placeOf, TILTED } from "./projection.js";
import { commonShift } from "./scene.js";
import { isTilted, TiltButton } from "./tilt_button.js";
import { Travel } from "./travel.js";
import { Viewport } from "./viewport.js";

/** @typedef {import("../wire").RenderedPiece} Piece */
/** @typedef {import("../wire").RenderedScene} Scene */
/** @typedef {{element: SVGGElement, piece: Piece, key: string}} Shown */
/**
 * The steps that can be clicked; those of them that are asked for now, with their tags; those that have been picked;
 * those of which one is to be picked before a place; what belongs to an earlier decision that can still be changed; and what of
 * that to point out.
 * @typedef {object} Marks
 * @property {Set<string>} offered
 * @property {Map<string, string>} asked
 * @property {string[]} picked
 * @property {string[]} first
 * @property {Set<string>} changeable
 * @property {Set<string>} instead
 */

const BESIDE = 46; // pixels of what is put beside a place
/** @type {Marks} */
const NO_MARKS = {
  offered: new Set(),
  asked: new Map(),
  picked: [],
  first: [],
  changeable: new Set(),
  instead: new Set(),
};
const NARROW_TRAY = 360; // units: so narrow a tray is beside the board of a low screen
const FINGER = 32; // pixels that a finger needs: a tap close to a smaller choice chooses it

/** @extends {Emitter<{step: {step: string, isByMouse: boolean, isOnGhost: boolean}, unlit: string, drop: string, look: string, label: {text: string, isLeft: boolean}}>} */
export class Board extends Emitter {
  /** @type {Map<string, Shown>} */
  #shown = new Map();
  /** @type {Scene | null} */
  #scene = null;
  #view = FLAT;
  #tiltButton = new TiltButton((isOn) => this.#tilt(isOn));
  #settleReady = () => {};
  /** Settled when the art of the game is there. @type {Promise<void>} */
  ready = new Promise((settle) => {
    this.#settleReady = settle;
  });
  /** @type {Promise<unknown>} settled when the styles of boards are there: without them all would move once more */
  #styled;
  /** The ground, a drawing of its own: it is not painted again with the pieces. */
  #groundDrawing = svg("svg", "ground-drawing");
  #edge = svg("g");
  #ground = svg("g", "ground");
  #pieces = svg("g", "pieces");
  #running = svg("g", "running");
  #dots = new Dots();
  #trayPieces = svg("g", "pieces");
  #tray = document.createElement("div");
  #traySvg = svg("svg");
  #last = ""; // where the last move was
  #subject = ""; // what the last question was about
  #shape = ""; // width and height, of a board that does not grow
  #isTrayUsed = false; // whether a turn is composed of what is in the tray
  #all = document.createElement("div");
  #tilts = 0; // how often the board was tilted or seen from above again
  /** @type {{step: string, element: HTMLElement} | null} what is beside the place of a step */
  #beside = null;
  /** @type {Travel} */
  #travel;
  /** @type {BoardMap} */
  #map;

  /** @param {HTMLElement} host */
  constructor(host) {
    super();
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = host.dataset.style ?? "";
    this.#styled = new Promise((settle) => {
      for (const end of ["load", "error"]) style.addEventListener(end, settle);
    });
    this.svg = svg("svg");
    this.svg.setAttribute("role", "img");
    this.#groundDrawing.setAttribute("aria-hidden", "true"); // the drawing over it has the words
    this.#groundDrawing.append(this.#edge, this.#ground);
    this.svg.append(this.#pieces, this.#dots.layer);
    this.#traySvg.append(this.#trayPieces);
    const middles = () =>
      [...this.#shown.values()].flatMap(({ piece }) => (isMovable(piece) ? placeOf(this.#view, piece) : []));
    this.ghosts = new Ghosts(this.svg, this.#traySvg, (id) => this.elementOf(id), middles);
    this.svg.append(this.#running);
    this.#travel = new Travel(this.svg, this.#running, this.#all);
    this.#tray.className = "tray-below";
    this.#tray.setAttribute("role", "group");
    this.#tray.setAttribute("aria-label", _("Below the board"));
    this.#tray.append(this.#traySvg);
    this.#all.className = "all";
    const view = document.createElement("div");
    view.className = "view";
    view.append(this.svg, this.#groundDrawing);
    this.#all.append(view, this.#tray);
    new ResizeObserver(() => this.#scaleTrayText()).observe(this.#traySvg);
    this.shadow = host.attachShadow({ mode: "open" });
    this.shadow.append(style, this.#all);
    this.framing = new Framing(new Viewport(this.svg, this.#groundDrawing));
    this.gestures = new Gestures(this.svg, this.framing);
    this.#map = new BoardMap(this.framing);
    view.append(this.#map.element);
    this.framing.onMove = () => this.#followCamera();
    this.framing.onArrival = () => this.#putMapAside();
    this.#listen(this.svg);
    this.#listen(this.#traySvg);
    this.drag = new Drag(this.#traySvg, this.#all, {
      pieceAt: (element) => this.#pieceOf(element),
      pick: (step) => this.emit("step", { step, isByMouse: false, isOnGhost: false }),
      look: (step) => this.emit("look", step),
      drop: (step) => this.emit("drop", step),
    });
  }

  /** @param {Element | null} element */
  #pieceOf(element) {
    for (const { element: shown, piece } of this.#shown.values()) if (shown === element) return piece;
    return null;
  }

  /**
   * Load the backdrop, and its styles as a sheet of the shadow tree.
   * @param {string} backdrop
   * @param {string} styles
   */
  async load(backdrop, styles) {
    const [ground, css] = await Promise.all([fetchText(backdrop), fetchText(styles), this.#styled]);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    this.shadow.adoptedStyleSheets = [followTheme(sheet)];
    const parsed = new DOMParser().parseFromString(ground, "image/svg+xml").documentElement;
    for (const unwanted of parsed.querySelectorAll("style, script, foreignObject")) unwanted.remove();
    this.#ground.replaceChildren(...[...parsed.childNodes].map((node) => document.importNode(node, true)));
    this.#drawSymbolsAgain();
    this.framing.isReady = true;
    this.#followLast();
    this.#bringIntoView();
    this.#settleReady();
  }

  /** Draw pieces that came before their symbols: WebKit does not by itself. */
  #drawSymbolsAgain() {
    for (const use of this.#all.querySelectorAll(".pieces use, .ghosts use")) use.replaceWith(use.cloneNode(true));
  }

  /**
   * Show a scene: create, move and remove pieces by id.
   * @param {Scene} scene
   * @param {boolean} [holds] whether what is on the board must stay where it is on the screen, even if the board grew
   */
  show(scene, holds = false) {
    this.rememberTray();
    const isFirst = this.#scene === null;
    if (isFirst) this.#begin(scene);
    const jumps = this.framing.follow(scene, this.#scene, holds);
    const shift = jumps && this.#scene ? commonShift(this.#scene, scene) : { x: 0, y: 0 };
    const old = new Map([...this.#shown].map(([id, { piece }]) => [id, jumps ? shifted(piece, shift) : piece]));
    this.#scene = scene;
    this.svg.setAttribute("aria-label", scene.title);
    this.ghosts.clear();
    this.#removeAllBut(new Set(scene.pieces.map((piece) => piece.id)));
    this.framing.release();
    this.#travel.leave();
    this.#fill(
      this.#pieces,
      scene.pieces.filter((piece) => !piece.in_tray),
    );
    this.#fill(
      this.#trayPieces,
      scene.pieces.filter((piece) => piece.in_tray),
    );
    this.#tellArt(scene);
    this.#tellShape();
    this.#sizeTray(scene);
    this.#map.show(scene);
    this.#followLast();
    if (!isFirst) {
      this.#bring(old, scene);
      this.#travel.flare(scene.pieces.filter((piece) => isFinished(piece) && !isFinished(old.get(piece.id))));
    }
    this.#travel.forget();
  }

  /** Measure where pieces will come from, if the next scene takes them from the tray; quick before a page changes. */
  rememberTray() {
    this.#travel.remember(this.#shown.values());
  }

  /**
   * Offer the tilted view of a board that has one, and show it if it was chosen before.
   * @param {Scene} scene
   */
  #begin(scene) {
    const hasTilt = (scene.thickness ?? 0) > 0;
    this.#tiltButton.offer(hasTilt);
    if (hasTilt && isTilted()) this.#look(TILTED, scene);
  }

  /**
   * Show the board tilted or from above; pieces glide there.
   * @param {boolean} isOn
   */
  #tilt(isOn) {
    if (!this.#scene) return;
    this.#all.classList.add("tilting"); // only now do pieces glide by styles
    this.#look(isOn ? TILTED : FLAT, this.#scene);
    for (const { element, piece } of this.#shown.values()) if (!piece.in_tray) this.#redraw(element, piece);
    this.#dots.moveAll();
    this.ghosts.redraw();
    this.#endTilt(++this.#tilts);
  }

  /**
   * For the art, which may show other pieces in the tray to a seat that waits for its turn.
   * @param {boolean} isWaiting
   */
  showAsWaiting(isWaiting) {
    this.shadow.host.toggleAttribute("data-waits", isWaiting);
  }

  /**
   * When pieces have arrived, and nothing has sent them elsewhere, measure on the screen what depends on their places.
   * @param {number} tilts up to this one
   */
  async #endTilt(tilts) {
    const glides = this.#all.getAnimations({ subtree: true }).filter((change) => change instanceof CSSTransition);
    await Promise.allSettled(glides.map(({ finished }) => finished));
    if (tilts !== this.#tilts) return;
    this.#all.classList.remove("tilting");
    this.#bringIntoView();
    this.#putBeside();
  }

  /**
   * Draw a piece again as it is seen now, with the marks that it has.
   * @param {SVGGElement} element
   * @param {Piece} piece
   */
  #redraw(element, piece) {
    const marks = element.getAttribute("class") ?? "";
    drawPiece(element, piece, this.#view);
    element.setAttribute("class", marks);
  }

  /**
   * @param {import("./projection.js").Projection} view
   * @param {Scene} scene
   */
  #look(view, scene) {
    this.#view = view;
    this.#dots.view = view;
    this.#travel.view = view;
    this.ghosts.view = view;
    this.#all.classList.toggle("tilted", view === TILTED);
    this.#ground.style.transform = matrixOf(view);
    drawPiece(this.#edge, edgeOf(scene), view);
    this.framing.tilt(view, scene);
  }

  /**
   * The middle of each of these pieces on the screen, of those that are in view.
   * @param {string[]} ids
   */
  middlesOf(ids) {
    const view = this.svg.getBoundingClientRect();
    const boxes = ids.flatMap((id) => this.elementOf(id)?.getBoundingClientRect() ?? []);
    return boxes.map(centreOf).filter((middle) => isInside(middle, view));
  }

  /**
   * Light some pieces, and dim the rest of the board; null shows all as usual.
   * @param {Map<string, string> | null} lit colours by id of a piece; "" for the usual one
   * @param {boolean} [dims]
   */
  spotlight(lit, dims = true) {
    this.#all.classList.toggle("dimmed", lit !== null && dims);
    for (const element of this.spotlit) element.classList.remove("spotlit");
    for (const [id, colour] of lit ?? []) {
      const element = this.#shown.get(id)?.element;
      element?.classList.add("spotlit");
      if (colour) element?.style.setProperty("--spot", colour);
      else element?.style.removeProperty("--spot");
    }
    this.framing.look([...this.#pieces.querySelectorAll(":scope > .spotlit")]);
  }

  /**
   * The element of a piece that is shown.
   * @param {string} id
   */
  elementOf(id) {
    return this.#shown.get(id)?.element;
  }

  /** Whether pieces keep a legible size on every screen. */
  get isLegible() {
    return (this.#scene?.legible ?? 0) > 0;
  }

  /** The pieces that are lit. */
  get spotlit() {
    return [...this.#all.querySelectorAll(".spotlit")];
  }

  /**
   * Let what is new on the board, or at another place, travel there.
   * @param {Map<string, Piece>} old the pieces before, by id
   * @param {Scene} scene
   */
  #bring(old, scene) {
    const moved = scene.pieces.filter((piece) => isMovable(piece) && !isAtSamePlace(piece, old.get(piece.id)));
    const shown = moved.flatMap(({ id }) => this.#shown.get(id) ?? []);
    this.#travel.bring(shown, old, new Map(scene.pieces.map((piece) => [piece.id, piece])));
  }

  /**
   * Put pieces into their layer, in order; as many as can stay where they are.
   * @param {SVGGElement} layer
   * @param {Piece[]} pieces
   */
  #fill(layer, pieces) {
    const elements = pieces.map((piece) => this.#place(piece));
    const places = new Map([...layer.children].map((element, place) => [element, place]));
    const staying = new Set(longestRise(elements.flatMap((element) => places.get(element) ?? [])));
    /** @type {Element | null} */
    let next = null;
    for (const element of elements.reverse()) {
      if (!staying.has(places.get(element) ?? -1)) layer.insertBefore(element, next);
      next = element;
    }
  }

  /** Tell the page the shape of a board that does not grow, for where its height depends on its width. */
  #tellShape() {
    const { width, height } = this.framing.whole;
    const { host } = this.shadow;
    const shape = `${width} / ${height}`;
    if (!(host instanceof HTMLElement) || this.isLegible || shape === this.#shape) return;
    this.#shape = shape; // to set it again would look at the styles of all pieces again
    host.style.setProperty("--board-ratio", shape);
  }

  /** @param {Scene} scene */
  #sizeTray({ tray_width: width = 0, tray_height: height = 0, pieces }) {
    this.#tray.hidden = !pieces.some((piece) => piece.in_tray && (piece.symbol || piece.path || piece.text));
    if (this.#tray.hidden) return;
    this.#traySvg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#tray.style.setProperty("--tray-width", `${width}px`);
    this.#tray.style.setProperty("--tray-ratio", `${width} / ${height}`);
    this.#tray.classList.toggle("narrow", width <= NARROW_TRAY);
  }

  /**
   * Tell the art what kinds of pieces the tray has, and whether one lies enlarged over the board: to find out with `:has`
   * would look at the styles of all pieces again whenever one of them changes.
   * @param {Scene} scene
   */
  #tellArt({ pieces }) {
    const kinds = pieces.flatMap(({ in_tray: isInTray, classes = "" }) => (isInTray ? classes.split(" ") : []));
    const text = [...new Set(kinds)].sort().join(" ");
    if (this.#all.dataset.tray !== text) this.#all.dataset.tray = text;
    this.#all.classList.toggle("enlarging", pieces.some(isEnlarged));
  }

  /** Tell the art the smallest text of the tray that can be read, as the board's. */
  #scaleTrayText() {
    const pixel = this.#traySvg.getScreenCTM()?.a;
    if (pixel) this.#traySvg.style.setProperty("--least-text", `${this.framing.screen.leastText / pixel}px`);
  }

  /** @param {Set<string>} wanted */
  #removeAllBut(wanted) {
    for (const [id, { element }] of this.#shown) {
      if (wanted.has(id)) continue;
      element.remove();
      this.#shown.delete(id);
    }
  }

  /** @param {Piece} piece */
  #place(piece) {
    const known = this.#shown.get(piece.id);
    if (known?.piece === piece) return known.element; // as most pieces are from one scene to the next
    const key = JSON.stringify(piece);
    if (known?.key === key) return known.element;
    const element = known?.element ?? svg("g");
    drawPiece(element, piece, piece.in_tray ? FLAT : this.#view);
    const shown = { element, piece, key };
    if (piece.along && known && !known.piece.along) this.#travel.run(shown, piece.along);
    this.#shown.set(piece.id, shown);
    return element;
  }

  /**
   * Light up a piece, with what belongs to it, and report what it is.
   * @param {HTMLElement | SVGElement | null} element
   */
  #light(element) {
    for (const lit of this.#all.querySelectorAll(".pieces > .lit")) lit.classList.remove("lit");
    const other = element?.dataset.lights;
    if (element && other) {
      element.classList.add("lit");
      this.#shown.get(other)?.element.classList.add("lit");
    }
    const text = element?.querySelector(":scope > title")?.textContent ?? "";
    this.emit("label", { text, isLeft: Boolean(element && this.#isLeft(element)) });
  }

  /**
   * Something that cannot be chosen was clicked.
   * @param {HTMLElement | SVGElement | null} element
   */
  #miss(element) {
    this.#light(element);
    const step = element?.dataset.step;
    if (step) this.emit("unlit", step);
  }

  /**
   * Whether an element is in the left half of the board.
   * @param {Element} element
   */
  #isLeft(element) {
    const [box, all] = [element.getBoundingClientRect(), this.#all.getBoundingClientRect()];
    return box.left + box.width / 2 < all.left + all.width / 2;
  }

  /**
   * Mark what can be clicked, and what has been picked; nothing if nothing is asked.
   * @param {Marks} [marks]
   */
  mark({ offered, asked, picked, first, changeable, instead } = NO_MARKS) {
    for (const { element, piece } of this.#shown.values()) {
      const { step } = piece;
      if (!step) continue;
      element.classList.toggle("choice", offered.has(step));
      element.classList.toggle("quiet", offered.has(step) && !asked.has(step));
      element.classList.toggle("picked", picked.includes(step));
      element.classList.toggle("change", !offered.has(step) && changeable.has(step));
    }
    this.#markPlaces(first.some((step) => this.isInTray(step)) ? new Map() : asked, instead);
    this.#bringIntoView();
  }

  /**
   * Point out the places that are asked for; where there are none, those that can be picked instead. While a piece of
   * the tray is to be picked first, none are asked for: where it fits depends on it.
   * @param {Map<string, string>} asked
   * @param {Set<string>} instead
   */
  #markPlaces(asked, instead) {
    const places = [...this.#shown.values()].filter(({ piece }) => isPlace(piece));
    const wanted = places.filter(({ piece }) => asked.has(piece.step ?? ""));
    const marked = wanted.length > 0 ? wanted : places.filter(({ piece }) => instead.has(piece.step ?? ""));
    this.#dots.show(marked, asked, this.#texts);
    const isOver = this.#all.classList.contains("enlarging"); // the places are not where they seem
    this.#map.mark(isOver ? [] : marked.map(({ piece }) => piece));
    this.#toggleLayers("placing", marked.length > 0);
  }

  /**
   * Say of the pieces on the board and in the tray what their styles depend on. The styles of the ground do not: to look
   * at all of it again would take longer than to draw a move.
   * @param {string} name
   * @param {boolean} isOn
   */
  #toggleLayers(name, isOn) {
    for (const layer of [this.#pieces, this.#trayPieces]) layer.classList.toggle(name, isOn);
  }

  /** The steps of places. */
  get places() {
    const places = [...this.#shown.values()].filter(({ piece }) => isPlace(piece));
    return new Set(places.map(({ piece }) => piece.step ?? ""));
  }

  /**
   * Whether a step is chosen in the tray.
   * @param {string} step
   */
  isInTray(step) {
    return [...this.#shown.values()].some(({ piece }) => piece.in_tray && piece.step === step);
  }

  /** Texts on the board, such as a height. */
  get #texts() {
    return [...this.#shown.values()].filter(({ piece }) => piece.text && !piece.in_tray);
  }

  /** Follow the last move on a board that grows, once: the reader may look elsewhere. */
  #followLast() {
    const pieces = [...this.#pieces.querySelectorAll(":scope > .last")];
    const last = pieces.map((piece) => piece.getAttribute("style")).join();
    if (!this.framing.isReady || last === this.#last) return;
    this.#last = last;
    this.framing.followLast(pieces);
    requestAnimationFrame(() => this.#putMapAside());
  }

  /** Bring into view what has been picked on the board, otherwise what can be, otherwise what the question is about. */
  #bringIntoView() {
    const picked = [...this.#pieces.querySelectorAll(":scope > .picked:not(.sign)")];
    const choices = [...this.#pieces.querySelectorAll(":scope > .choice:not(.sign)")]; // signs have buttons
    const asked = choices.filter((piece) => !piece.classList.contains("quiet"));
    this.framing.enlarge(asked, picked);
    const [subject, places] = [this.#newSubject(), [picked, asked, choices].find((some) => some.length > 0)];
    const over = this.#pieces.querySelectorAll(":scope > .enlarged"); // all of it, not the places on it alone
    if (places) this.framing.reveal([...places, ...over]);
    else if (subject.length > 0) this.framing.revealAll(subject);
    else this.framing.reveal([]);
    requestAnimationFrame(() => this.#layOut()); // with the layout of the frame, not one more
  }

  /** Put what is over or beside the board where it hides nothing that can be chosen. */
  #layOut() {
    this.#bringTrayIntoView();
    if (this.#tray.scrollWidth > this.#tray.clientWidth)
      this.#tray.setAttribute("tabindex", "0"); // keys scroll it too
    else this.#tray.removeAttribute("tabindex");
    this.#putMapAside();
  }

  /** Keep the small map off what can be chosen, and off all of what was laid last or lies enlarged over the board. */
  #putMapAside() {
    const of = (/** @type {string} */ which) =>
      [...this.#pieces.querySelectorAll(`:scope > :is(${which})`)].map((piece) => piece.getBoundingClientRect());
    this.#map.avoid(of(".choice, .change, .picked, .marked").map(centreOf), of(".last, .enlarged"));
  }

  /** The subject of the question; nothing if that was brought into view before, for the reader may look elsewhere. */
  #newSubject() {
    if (!this.framing.isReady) return [];
    const pieces = [...this.#pieces.querySelectorAll(":scope > .subject")];
    const subject = pieces.map((piece) => piece.innerHTML).join();
    if (subject === this.#subject) return [];
    this.#subject = subject;
    return pieces;
  }

  /**
   * Scroll the tray to what can be chosen there if none of it is in view, or not all where it has the room, unless a
   * lesson points at something else; and back to its beginning after the turn.
   */
  #bringTrayIntoView() {
    const choices = [...this.#trayPieces.querySelectorAll(":scope > .choice")];
    const isUsed = this.#trayPieces.querySelector(":scope > :is(.choice, .picked, .change)") !== null;
    if (this.#isTrayUsed && !isUsed) this.#scrollTray([]);
    this.#isTrayUsed = isUsed;
    if (choices.length === 0 || highlighted(this.#trayPieces).length > 0) return;
    const tray = this.#tray.getBoundingClientRect();
    const seen = choices.filter((piece) => isWithin(piece.getBoundingClientRect(), tray));
    const fits = across(choices).width <= this.#tray.clientWidth;
    if (seen.length < (fits ? choices.length : 1)) this.#scrollTray(choices);
  }

  /**
   * Put an element beside the place of a step on the board, or take it away.
   * @param {string} step
   * @param {HTMLElement | null} element
   */
  showBeside(step, element) {
    this.#beside?.element.remove();
    this.#beside = element && this.#besideWhat(step) ? { step, element } : null;
    if (this.#beside) this.#all.append(this.#beside.element);
    this.#putBeside();
  }

  /** Show what part of the board is in view, and keep what lies beside a place beside it. */
  #followCamera() {
    this.#map.follow();
    if (this.#beside) this.#putBeside();
  }

  #putBeside() {
    const place = this.#beside && this.#besideWhat(this.#beside.step);
    if (!this.#beside || !place) return;
    const { element } = this.#beside;
    const [box, all] = [place.getBoundingClientRect(), this.#all.getBoundingClientRect()];
    const isLeft = box.right + BESIDE > all.right;
    const top = Math.max(all.top, box.top - BESIDE);
    element.style.left = `${(isLeft ? box.left - BESIDE : box.right) - all.left}px`;
    element.style.top = `${top - all.top}px`;
  }

  /**
   * @param {string} step "" for the card that is drawn enlarged
   * @returns {Element | null | undefined}
   */
  #besideWhat(step) {
    return step ? this.#placeOf(step) : this.#pieces.querySelector(":scope > .enlarged");
  }

  /** @param {string} step */
  hasPlace(step) {
    return this.#placeOf(step) !== undefined;
  }

  /** @param {string} step */
  #placeOf(step) {
    return [...this.#pieces.children].find((element) => element instanceof SVGElement && element.dataset.step === step);
  }

  /**
   * Highlight the piece of a step, or none.
   * @param {string} step
   */
  point(step) {
    for (const { element } of this.#shown.values()) {
      element.classList.toggle("pointed", step !== "" && element.dataset.step === step);
    }
  }

  /**
   * Mark the step that a previewed move takes for granted, such as the direction of a piece; "" marks none.
   * @param {string} step
   */
  presume(step) {
    for (const { element } of this.#shown.values()) {
      element.classList.toggle("presumed", step !== "" && element.dataset.step === step);
    }
  }

  /**
   * Draw attention to pieces, as a lesson does.
   * @param {string[]} ids
   * @param {boolean} [isBegun] whether a part of the move that they are about is done
   */
  highlight(ids, isBegun = false) {
    for (const [id, { element }] of this.#shown) element.classList.toggle("highlighted", ids.includes(id));
    const wanted = highlighted(this.#pieces);
    // What is highlighted and cannot be chosen any more is done: the next part of the move is where one looks.
    if (!isBegun || wanted.some(isChoice)) this.framing.revealAll(wanted);
    this.#scrollTray(highlighted(this.#trayPieces));
  }

  /**
   * Scroll the tray until these pieces are in the middle, or from the first on where they are too wide; to its beginning
   * if there are none.
   * @param {Element[]} pieces
   */
  #scrollTray(pieces) {
    if (pieces.length === 0) {
      this.#tray.scrollLeft = 0;
      return;
    }
    const { left, width } = across(pieces);
    const tray = this.#tray.getBoundingClientRect();
    const room = Math.max(0, tray.width - width);
    this.#tray.scrollBy({ left: left - tray.left - room / 2, behavior: "instant" });
  }

  /**
   * Draw numbered moves, and bring all of them into view.
   * @param {import("./ghosts.js").Drawing[]} drawings
   */
  showHints(drawings) {
    this.ghosts.show("hint", drawings);
    this.framing.release();
    const [onBoard, inTray] = this.ghosts.drawn("hint");
    if (onBoard.length > 0) this.framing.revealAll(onBoard);
    if (inTray.length > 0) this.#scrollTray(inTray);
  }

  /**
   * Whether a step is a place of the board or lies in the tray: one needs no button for it. What else is on the board,
   * such as a company, is answered by a word as well.
   * @param {string} step
   */
  hasStep(step) {
    return this.#scene?.pieces.some((piece) => piece.step === step && (piece.in_tray || isPlace(piece))) ?? false;
  }

  /**
   * The counter beside a word in the tables of the game, such as that of a company; none of a seat, whose name may be any
   * word.
   * @param {string} words that begin with it
   */
  counterOf(words) {
    const tables = this.#scene?.tables.filter((table) => !table.lists_seats) ?? [];
    const cells = tables.flatMap(({ rows }) => rows.flat());
    const marks = cells.flatMap((cell) => (Array.isArray(cell) ? cell : []));
    const [first] = words.split(/[\s:]/, 1);
    return marks.find(({ text }) => text && text === first);
  }

  /**
   * Listen to the pointer on the board and in the tray.
   * @param {SVGSVGElement} area
   */
  #listen(area) {
    const stepOf = (/** @type {Event} */ event) => closest(event, CHOOSABLE)?.dataset.step ?? "";
    const pieceOf = (/** @type {Event} */ event) => closest(event, ".pieces > g");
    let isResting = false; // the pointer is where it last clicked, and something new may be under it
    const rest = (/** @type {boolean} */ isAtRest) => {
      isResting = isAtRest;
      this.#toggleLayers("resting", isAtRest);
    };
    area.addEventListener("click", (event) => {
      if (this.gestures.hasDragged || this.drag.hasDragged) return;
      const isByMouse = event instanceof PointerEvent && event.pointerType === "mouse";
      const isOnGhost = !isByMouse && this.ghosts.isPreviewedAt({ x: event.clientX, y: event.clientY });
      const step = stepOf(event) || (isByMouse || isOnGhost ? "" : choiceNear(area, event));
      rest(Boolean(step || isOnGhost));
      if (step || isOnGhost) this.emit("step", { step, isByMouse, isOnGhost });
      else this.#miss(pieceOf(event));
    });
    const point = (/** @type {PointerEvent} */ event) => {
      rest(!hasMoved(event));
      if (event.pointerType === "touch" || isResting) return;
      this.#light(pieceOf(event));
      this.#dots.hide(stepOf(event));
      this.emit("look", stepOf(event));
    };
    area.addEventListener("pointerover", point);
    area.addEventListener("pointermove", (event) => isResting && point(event));
    area.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "touch") return;
      this.#light(null);
      this.emit("look", "");
    });
  }
}

/**
 * The step of the nearest choice that is smaller than a finger, if a tap just missed it.
 * @param {SVGSVGElement} area
 * @param {MouseEvent} event
 */
function choiceNear(area, { clientX: x, clientY: y }) {
  const choices = [...area.querySelectorAll(".pieces > .choice[data-step]")].map((element) => {
    const box = element.getBoundingClientRect();
    const away = [Math.abs(x - (box.left + box.right) / 2), Math.abs(y - (box.top + box.bottom) / 2)];
    const isNear = away.every((distance) => distance <= FINGER / 2);
    return {
      step: element instanceof SVGElement ? (element.dataset.step ?? "") : "",
      isNear,
      away: Math.hypot(...away),
    };
  });
  const near = choices.filter(({ isNear }) => isNear).sort((one, two) => one.away - two.away);
  return near[0]?.step ?? "";
}

/**
 * The left edge of pieces on the screen, and their width together.
 * @param {Element[]} pieces
 */
function across(pieces) {
  const boxes = pieces.map((piece) => piece.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  return { left, width: Math.max(...boxes.map((box) => box.right)) - left };
}

/**
 * Whether a piece is a place on the board, without a button that chooses it too.
 * @param {Piece} piece
 */
function isPlace({ in_tray: isInTray, classes = "" }) {
  return !isInTray && /\bspot\b/.test(classes) && !/\bsign\b/.test(classes);
}

/** @param {Piece} piece */
function isEnlarged({ classes = "" }) {
  return /\benlarged\b/.test(classes);
}

/**
 * A piece of a board that has grown to the left or upwards.
 * @param {Piece} piece
 * @param {import("./camera.js").Point} by
 * @returns {Piece}
 */
function shifted(piece, by) {
  return piece.in_tray ? piece : { ...piece, x: (piece.x ?? 0) + by.x, y: (piece.y ?? 0) + by.y };
}

/**
 * Whether a piece is a thing that can travel: not a place, a mark, what lies below others, or what stays still.
 * @param {Piece} piece
 */
function isMovable({ symbol, in_tray: isInTray, classes = "" }) {
  return Boolean(symbol) && !isInTray && !/\b(spot|last|ground|still)\b/.test(classes);
}

/**
 * @param {Piece} piece
 * @param {Piece} [old]
 */
function isAtSamePlace(piece, old) {
  if (!old || old.in_tray) return false;
  const away = [
    (piece.x ?? 0) - (old.x ?? 0),
    (piece.y ?? 0) - (old.y ?? 0),
    (piece.elevation ?? 0) - (old.elevation ?? 0),
  ];
  return Math.hypot(...away) < 0.01;
}

/** @param {string} url */
async function fetchText(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(_("The picture of the board could not be loaded."));
  return response.text();
}

/**
 * The highlighted pieces that can be chosen now; where none can, all of them.
 * @param {Element} pieces
 */
function highlighted(pieces) {
  const all = [...pieces.querySelectorAll(":scope > .highlighted")];
  const choices = all.filter(isChoice);
  return choices.length > 0 ? choices : all;
}

/** @param {Element} piece */
function isChoice(piece) {
  return piece.classList.contains("choice");
}
