// The board: a backdrop that stays and pieces moved by id over it. It lives in a shadow tree, so that the styles and
// names of a game's art never meet those of the page.

import { darkened } from "./theme.js";
import { _ } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const FEWEST_UNITS = 120; // never zoom in further than this

const svg = (tag) => document.createElementNS(SVG, tag);

export class Board extends EventTarget {
  constructor(host) {
    super();
    const shadow = host.attachShadow({ mode: "open" });
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = host.dataset.style;
    this.svg = svg("svg");
    this.svg.setAttribute("role", "img");
    this.ground = svg("g");
    this.pieces = layer("pieces");
    this.ghosts = layer("ghosts");
    this.running = layer("running");
    this.svg.append(this.ground, this.pieces, this.ghosts, this.running);
    shadow.append(style, this.svg);
    this.shadow = shadow;
    this.shown = new Map(); // id -> {element, told: the piece as JSON}
    this.scene = null;
    this.box = null; // what is in view while zoomed: {x, y, width, height}
    this.listen();
    this.listenToPointers();
  }

  /** Put the backdrop down, and its styles as a sheet of the shadow tree. */
  async lay(backdrop, styles) {
    const [ground, css] = await Promise.all([backdrop, styles].map(text));
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    this.shadow.adoptedStyleSheets = [darkened(sheet)];
    const parsed = new DOMParser().parseFromString(ground, "image/svg+xml").documentElement;
    for (const unwanted of parsed.querySelectorAll("style, script, foreignObject")) unwanted.remove();
    this.ground.replaceChildren(...[...parsed.childNodes].map((node) => document.importNode(node, true)));
  }

  /** Show a scene: create, move and remove pieces by id. */
  show(scene) {
    if (this.scene === null) this.svg.classList.add("first");
    else if (this.box) this.keepInPlace(scene);
    this.scene = scene;
    this.svg.setAttribute("aria-label", scene.title);
    this.clearGhosts();
    const wanted = new Set(scene.pieces.map((piece) => piece.id));
    for (const [id, { element }] of this.shown) {
      if (!wanted.has(id)) {
        element.remove();
        this.shown.delete(id);
      }
    }
    let next = this.pieces.firstElementChild;
    for (const piece of scene.pieces) {
      const element = this.placed(piece);
      if (element === next) next = next.nextElementSibling;
      else this.pieces.insertBefore(element, next);
    }
    this.look();
    requestAnimationFrame(() => {
      this.svg.getBoundingClientRect(); // so that what is to jump has jumped
      this.svg.classList.remove("first");
    });
  }

  placed(piece) {
    const told = JSON.stringify(piece);
    const known = this.shown.get(piece.id);
    if (known?.told === told) return known.element;
    const element = known?.element ?? svg("g");
    draw(element, piece);
    if (piece.along && known && !JSON.parse(known.told).along) this.run(piece);
    this.shown.set(piece.id, { element, told });
    return element;
  }

  /** Let a copy of a piece run along its path, once. */
  run(piece) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const way = svg("path");
    way.setAttribute("d", piece.along);
    const runner = svg("g");
    draw(runner, { ...piece, step: "", label: "" });
    this.running.append(runner);
    const length = way.getTotalLength();
    const duration = Math.min(3000, 600 + 3 * length);
    const began = performance.now();
    const step = (now) => {
      const part = Math.min(1, (now - began) / duration);
      const { x, y } = way.getPointAtLength(part * length);
      runner.style.transform = `translate(${x}px, ${y}px)`;
      if (part < 1) requestAnimationFrame(step);
      else runner.remove();
    };
    requestAnimationFrame(step);
  }

  /** Light up what somebody looks at, with what belongs to it, and tell what it is. */
  light(element) {
    for (const { element: lit } of this.shown.values()) lit.classList.remove("lit");
    if (element?.dataset.lights) {
      element.classList.add("lit");
      this.shown.get(element.dataset.lights)?.element.classList.add("lit");
    }
    const label = element?.querySelector(":scope > title")?.textContent ?? "";
    this.dispatchEvent(new CustomEvent("tell", { detail: label }));
  }

  /** Mark what can be clicked, and what has been picked. */
  mark(offered, picked) {
    for (const { element } of this.shown.values()) {
      const step = element.dataset.step;
      element.classList.toggle("choice", Boolean(step) && offered.has(step));
      element.classList.toggle("picked", Boolean(step) && picked.includes(step));
    }
  }

  /** Point out the piece that stands for a step, while its button is looked at. */
  point(step) {
    for (const { element } of this.shown.values()) {
      element.classList.toggle("pointed", Boolean(step) && element.dataset.step === step);
    }
  }

  stands(step) {
    return this.scene?.pieces.some((piece) => piece.step === step) ?? false;
  }

  /** Draw what would be new or different, lightly, over what is there. */
  preview(changes) {
    this.clearGhosts();
    for (const piece of changes.pieces) {
      if (!piece.symbol && !piece.path) continue;
      const ghost = svg("g");
      draw(ghost, { ...piece, step: "", label: "" });
      this.ghosts.append(ghost);
    }
  }

  clearGhosts() {
    this.ghosts.replaceChildren();
  }

  listen() {
    const stepOf = (event) => event.target.closest?.(".choice, .picked")?.dataset.step;
    const pieceOf = (event) => event.target.closest?.(".pieces > g");
    this.svg.addEventListener("click", (event) => {
      const step = stepOf(event);
      if (this.dragged) return;
      if (step) this.dispatchEvent(new CustomEvent("step", { detail: step }));
      else this.light(pieceOf(event));
    });
    this.svg.addEventListener("pointerover", (event) => {
      if (event.pointerType === "touch") return;
      this.light(pieceOf(event));
      this.dispatchEvent(new CustomEvent("look", { detail: stepOf(event) ?? "" }));
    });
    this.svg.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "touch") return;
      this.light(null);
      this.dispatchEvent(new CustomEvent("look", { detail: "" }));
    });
  }

  // Panning and zooming, by wheel, fingers and buttons.

  get whole() {
    return { x: 0, y: 0, width: this.scene.width, height: this.scene.height };
  }

  look() {
    const { x, y, width, height } = this.box ?? this.whole;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.svg.classList.toggle("zoomed", this.box !== null);
  }

  fit() {
    this.box = null;
    this.look();
  }

  /** Zoom by a factor about a point of the board; out again to the whole. */
  zoom(factor, at = null) {
    const box = this.box ?? this.whole;
    const whole = this.whole;
    const width = Math.max(FEWEST_UNITS, box.width / factor);
    if (width >= whole.width) return this.fit();
    const { x, y } = at ?? { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const scale = width / box.width;
    this.box = { x: x - (x - box.x) * scale, y: y - (y - box.y) * scale, width, height: box.height * scale };
    this.keepInside();
    this.look();
  }

  /** A board that grows to the left or upwards moves all that lies on it: while zoomed in, look where it went. */
  keepInPlace(scene) {
    const before = new Map(this.scene.pieces.map((piece) => [piece.id, piece]));
    const ways = new Map(); // how far pieces went -> how many of them
    for (const { id, symbol, x = 0, y = 0 } of scene.pieces) {
      const old = before.get(id);
      if (!symbol || !old) continue;
      const way = `${x - (old.x ?? 0)} ${y - (old.y ?? 0)}`;
      ways.set(way, (ways.get(way) ?? 0) + 1);
    }
    const [most] = [...ways].sort((one, two) => two[1] - one[1]);
    const [x, y] = most?.[0].split(" ").map(Number) ?? [0, 0];
    if (x || y) this.svg.classList.add("first");
    this.box.x += x;
    this.box.y += y;
  }

  keepInside() {
    const { box, whole } = this;
    box.x = Math.min(Math.max(box.x, whole.x), whole.x + whole.width - box.width);
    box.y = Math.min(Math.max(box.y, whole.y), whole.y + whole.height - box.height);
  }

  /** The point of the board under a point of the screen. */
  under(x, y) {
    const point = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM().inverse());
    return { x: point.x, y: point.y };
  }

  listenToPointers() {
    const fingers = new Map();
    const middle = () => {
      const all = [...fingers.values()];
      return { x: sum(all, "x") / all.length, y: sum(all, "y") / all.length };
    };
    const spread = () => {
      const [one, two] = [...fingers.values()];
      return two ? Math.hypot(one.x - two.x, one.y - two.y) : 0;
    };
    this.svg.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && this.box === null && event.deltaY > 0) return;
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY / 300), this.under(event.clientX, event.clientY));
      },
      { passive: false },
    );
    this.svg.addEventListener("pointerdown", (event) => {
      if (fingers.size === 0) this.dragged = false;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      const before = { ...middle(), spread: spread() };
      const held = fingers.get(event.pointerId);
      if (!this.dragged && Math.hypot(event.clientX - held.x, event.clientY - held.y) < 6) return;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const now = middle();
      if (this.box !== null) {
        this.dragged = true;
        const from = this.under(before.x, before.y);
        const to = this.under(now.x, now.y);
        this.box.x += from.x - to.x;
        this.box.y += from.y - to.y;
        this.keepInside();
        this.look();
      }
      if (before.spread > 0) {
        this.dragged = true;
        this.zoom(spread() / before.spread, this.under(now.x, now.y));
      }
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      this.svg.addEventListener(end, (event) => fingers.delete(event.pointerId));
    }
  }
}

function layer(name) {
  const group = svg("g");
  group.setAttribute("class", name);
  return group;
}

function sum(points, axis) {
  return points.reduce((total, point) => total + point[axis], 0);
}

async function text(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(_("The picture of the board did not come."));
  return response.text();
}

/** Make an element look like a piece. What did not change stays, so that it can glide. */
function draw(element, piece) {
  element.setAttribute("class", piece.classes ?? "");
  element.style.transform = `translate(${piece.x ?? 0}px, ${piece.y ?? 0}px) rotate(${piece.turn ?? 0}deg)`;
  for (const name of ["step", "lights"]) {
    if (piece[name]) element.dataset[name] = piece[name];
    else delete element.dataset[name];
  }
  const kind = piece.symbol ? "use" : piece.path ? "path" : "text";
  let form = element.lastElementChild;
  if (form?.tagName !== kind) {
    form = svg(kind);
    element.replaceChildren(form);
  }
  if (kind === "use") form.setAttribute("href", `#${piece.symbol}`);
  else if (kind === "path") form.setAttribute("d", piece.path);
  else form.textContent = piece.text ?? "";
  title(element, piece.label);
}

function title(element, label) {
  const known = element.querySelector("title");
  if (!label) return known?.remove();
  const words = known ?? element.insertBefore(svg("title"), element.firstChild);
  words.textContent = label;
}
