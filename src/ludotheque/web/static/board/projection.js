// @ts-check
// The projection of the board and of what lies above it, seen from above or tilted: the same as core/projection.py.

import { grown } from "./camera.js";

/** @typedef {import("./camera.js").Point} Point */
/** @typedef {import("./camera.js").Box} Box */
/** @typedef {import("../wire").RenderedPiece} Piece */
/** @typedef {import("../wire").Solid} Solid */
/**
 * One unit to the right, one down, and one upwards, as they are drawn.
 * @typedef {{across: Point, down: Point, rise: Point}} Projection
 */

const MARGIN = 10; // around a tilted board
const DARKEST = 0.32; // shade of a face to the right; the light comes from the left and above

/** @type {Projection} */
export const FLAT = { across: { x: 1, y: 0 }, down: { x: 0, y: 1 }, rise: { x: -0.2, y: -0.5 } };
export const TILTED = axonometric(16, 42);

/**
 * A board turned clockwise, seen from an angle above the horizon.
 * @param {number} turn in degrees
 * @param {number} elevation in degrees
 * @returns {Projection}
 */
function axonometric(turn, elevation) {
  const [around, up] = [radians(turn), radians(elevation)];
  const flattened = Math.sin(up);
  return {
    across: { x: Math.cos(around), y: Math.sin(around) * flattened },
    down: { x: -Math.sin(around), y: Math.cos(around) * flattened },
    rise: { x: 0, y: -Math.cos(up) },
  };
}

/**
 * The place on the screen of a point at a height above the board.
 * @param {Projection} view
 * @param {Point} point
 * @param {number} [height]
 * @returns {Point}
 */
export function project({ across, down, rise }, { x, y }, height = 0) {
  return {
    x: across.x * x + down.x * y + rise.x * height,
    y: across.y * x + down.y * y + rise.y * height,
  };
}

/**
 * The place on the screen of a piece's place, on its upper face.
 * @param {Projection} view
 * @param {Piece} piece
 */
export function placeOf(view, { x = 0, y = 0, elevation = 0, body }) {
  return project(view, { x, y }, elevation + (body?.thickness ?? 0));
}

/**
 * The transform of a piece. All have the same parts, so that pieces glide from one view to another; text stays upright.
 * @param {Projection} view
 * @param {Piece} piece
 */
export function transformOf(view, piece) {
  const { x, y } = placeOf(view, piece);
  const isText = !piece.symbol && !piece.path;
  return `translate(${x}px, ${y}px) ${matrixOf(isText ? FLAT : view)} rotate(${piece.turn ?? 0}deg)`;
}

/** @param {Projection} view */
export function matrixOf({ across, down }) {
  return `matrix(${across.x}, ${across.y}, ${down.x}, ${down.y}, 0, 0)`;
}

/**
 * The sides of a body that are in view, seen from its place on its upper face before it is turned, and the shade of each.
 * @param {Projection} view
 * @param {Solid} body
 * @param {number} [turn] in degrees
 * @returns {{corners: Point[], shade: number}[]}
 */
export function facesOf(view, { outline, thickness }, turn = 0) {
  const drop = turned(dropOf(view, thickness), -turn);
  const corners = outline.map(([x, y]) => ({ x, y }));
  return corners.flatMap((one, place) => {
    const two = corners[(place + 1) % corners.length] ?? one;
    const outwards = { x: two.y - one.y, y: one.x - two.x };
    if (outwards.x * drop.x + outwards.y * drop.y <= 0) return [];
    const shade = (Math.max(0, turned(outwards, turn).x) / Math.hypot(outwards.x, outwards.y)) * DARKEST;
    return [{ corners: [one, two, sum(two, drop), sum(one, drop)], shade }];
  });
}

/**
 * The step on the board that is drawn like one down from the upper to the lower face of a body.
 * @param {Projection} view
 * @param {number} thickness
 * @returns {Point}
 */
function dropOf({ across, down, rise }, thickness) {
  const [x, y] = [-rise.x * thickness, -rise.y * thickness];
  const size = across.x * down.y - across.y * down.x;
  return { x: (x * down.y - y * down.x) / size, y: (y * across.x - x * across.y) / size };
}

/**
 * The board as it is seen, with what stands on it.
 * @param {Projection} view
 * @param {{width: number, height: number, thickness?: number, pieces: Piece[]}} scene
 * @returns {Box}
 */
export function boundsOf(view, { width, height, thickness = 0, pieces }) {
  if (view === FLAT) return { x: 0, y: 0, width, height };
  const board = boardOf(width, height).flatMap((corner) => [project(view, corner), project(view, corner, -thickness)]);
  const bodies = pieces.filter(({ body, in_tray: isInTray }) => body && !isInTray);
  return grown(boxAround([...board, ...bodies.flatMap((piece) => upperCorners(view, piece))]), MARGIN);
}

/**
 * The box around a piece as it is seen.
 * @param {Projection} view
 * @param {Piece} piece
 * @param {Box} box around what is drawn of it, before it is turned
 * @returns {Box}
 */
export function drawnBox(view, piece, { x, y, width, height }) {
  const corners = boardOf(width, height).map((corner) => sum(corner, { x, y }));
  const place = placeOf(view, piece);
  return boxAround(corners.map((corner) => sum(place, project(view, turned(corner, piece.turn ?? 0)))));
}

/**
 * @param {Point[]} points
 * @returns {Box}
 */
function boxAround(points) {
  const [across, down] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...across), Math.min(...down)];
  return { x, y, width: Math.max(...across) - x, height: Math.max(...down) - y };
}

/**
 * The edge of a board, as a body that its surface is the upper face of.
 * @param {{width: number, height: number, thickness?: number}} scene
 * @returns {Piece}
 */
export function edgeOf({ width, height, thickness = 0 }) {
  const outline = boardOf(width, height).map(({ x, y }) => /** @type {[number, number]} */ ([x, y]));
  return { id: "board", path: "M0,0", elevation: -thickness, classes: "edge", body: { outline, thickness } };
}

/**
 * @param {number} width
 * @param {number} height
 * @returns {Point[]}
 */
function boardOf(width, height) {
  return [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];
}

/**
 * @param {Projection} view
 * @param {Piece} piece
 */
function upperCorners(view, { x = 0, y = 0, turn = 0, elevation = 0, body }) {
  const top = elevation + (body?.thickness ?? 0);
  return (body?.outline ?? []).map(([across, down]) =>
    project(view, sum(turned({ x: across, y: down }, turn), { x, y }), top),
  );
}

/**
 * A point turned about the origin, clockwise.
 * @param {Point} point
 * @param {number} degrees
 * @returns {Point}
 */
function turned({ x, y }, degrees) {
  const [across, up] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
  return { x: x * across - y * up, y: x * up + y * across };
}

/** @param {number} degrees */
function radians(degrees) {
  return (degrees / 180) * Math.PI;
}

/**
 * @param {Point} one
 * @param {Point} two
 */
function sum(one, two) {
  return { x: one.x + two.x, y: one.y + two.y };
}
