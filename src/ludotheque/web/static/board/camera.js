// @ts-check
// Points and boxes, on the board and on the screen: pure geometry.

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{width: number, height: number}} Size */
/** @typedef {Point & Size} Box */

const STEPS = 8; // places of a window to compare, in each direction
const STEP_WORTH = 0.2;
const FINGER = 32; // pixels: a tap this close to a piece chooses it

/**
 * @param {Box} box
 * @param {Point} by
 * @returns {Box}
 */
export function moved({ x, y, width, height }, by) {
  return { x: x + by.x, y: y + by.y, width, height };
}

/**
 * @param {Box} box
 * @returns {Point}
 */
export function centreOf({ x, y, width, height }) {
  return { x: x + width / 2, y: y + height / 2 };
}

/**
 * @param {Box} box
 * @returns {Point[]}
 */
export function cornersOf({ x, y, width, height }) {
  return [y, y + height].flatMap((down) => [x, x + width].map((across) => ({ x: across, y: down })));
}

/**
 * A box of a size around a point.
 * @param {Size} size
 * @param {Point} centre
 * @returns {Box}
 */
export function centred({ width, height }, { x, y }) {
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/**
 * A box moved into another; in a direction in which it is larger, moved no further than to have all of the other in it.
 * @param {Box} box
 * @param {Box} whole
 * @returns {Box}
 */
export function movedInto(box, whole) {
  const x = between(box.x, whole.x, whole.x + whole.width - box.width);
  const y = between(box.y, whole.y, whole.y + whole.height - box.height);
  return { x, y, width: box.width, height: box.height };
}

/**
 * A window moved as little as possible to have a part in it; about the middle of the part where that is larger.
 * @param {Box} view
 * @param {Box} part
 * @returns {Box}
 */
export function panned(view, part) {
  const [middle, { width, height }] = [centred(view, centreOf(part)), view];
  const x = part.width > width ? middle.x : between(view.x, part.x + part.width - width, part.x);
  const y = part.height > height ? middle.y : between(view.y, part.y + part.height - height, part.y);
  return { x, y, width, height };
}

/**
 * The window about a part in which most points lie. Of two the one that is moved less: a step of it is worth a part of a
 * point.
 * @param {Box} view
 * @param {Box} part what stays in view
 * @param {Point[]} points
 * @param {number} step
 * @returns {Box}
 */
export function fullest(view, part, points, step) {
  const worth = (/** @type {Box} */ box) => {
    const moved = (Math.abs(box.x - view.x) + Math.abs(box.y - view.y)) / step;
    return points.filter((point) => isInside(point, box)).length - moved * STEP_WORTH;
  };
  const columns = steps(part.x + part.width - view.width, part.x);
  const rows = steps(part.y + part.height - view.height, part.y);
  const views = columns.flatMap((x) => rows.map((y) => ({ ...view, x, y })));
  return views.reduce((best, other) => (worth(other) > worth(best) ? other : best), panned(view, part));
}

/**
 * Numbers from one to another at equal distances.
 * @param {number} first
 * @param {number} last
 */
function steps(first, last) {
  return Array.from({ length: STEPS + 1 }, (_, number) => first + ((last - first) * number) / STEPS);
}

/**
 * The number of a range, whichever of its ends is the lower one, that is nearest to another.
 * @param {number} number
 * @param {number} one
 * @param {number} other
 */
function between(number, one, other) {
  return Math.min(Math.max(number, Math.min(one, other)), Math.max(one, other));
}

/**
 * A box with a margin on all sides.
 * @param {Box} box
 * @param {number} margin
 * @returns {Box}
 */
export function grown({ x, y, width, height }, margin) {
  return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
}

/**
 * A box scaled about a point that stays where it is.
 * @param {Box} box
 * @param {number} scale
 * @param {Point} at
 * @returns {Box}
 */
export function scaled({ x, y, width, height }, scale, at) {
  return { x: at.x - (at.x - x) * scale, y: at.y - (at.y - y) * scale, width: width * scale, height: height * scale };
}

/**
 * The smallest box around others.
 * @param {Box[]} boxes
 * @returns {Box}
 */
export function around(boxes) {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * @param {Point} point
 * @param {Box} box
 */
export function isInside({ x, y }, box) {
  return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
}

/**
 * Whether boxes have a part in common.
 * @param {Box} one
 * @param {Box} other
 */
export function overlaps(one, other) {
  const isAcross = one.x < other.x + other.width && other.x < one.x + one.width;
  return isAcross && one.y < other.y + other.height && other.y < one.y + one.height;
}

/**
 * Whether all of a box is within another.
 * @param {Box} inner
 * @param {Box} outer
 */
export function isWithin(inner, outer) {
  const [right, bottom] = [outer.x + outer.width, outer.y + outer.height];
  const isAcross = inner.x >= outer.x && inner.x + inner.width <= right;
  return isAcross && inner.y >= outer.y && inner.y + inner.height <= bottom;
}

/**
 * A size cut to a limit in each direction.
 * @param {Size} size
 * @param {Size} limit
 * @returns {Size}
 */
export function limited({ width, height }, limit) {
  return { width: Math.min(width, limit.width), height: Math.min(height, limit.height) };
}

/**
 * The units of the board in a pixel where a part of this size fills the screen.
 * @param {Size} part
 * @param {Size} screen
 */
export function unitOf(part, screen) {
  return Math.max(part.width / screen.width, part.height / screen.height);
}

/** @param {Point[]} points */
export function middleOf(points) {
  const sum = points.reduce((total, point) => ({ x: total.x + point.x, y: total.y + point.y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

/**
 * @param {Point} point
 * @param {Point[]} points
 */
export function nearestTo(point, points) {
  return points.reduce((best, other) => (distance(other, point) < distance(best, point) ? other : best));
}

/**
 * @param {Point} one
 * @param {Point} two
 */
export function distance(one, two) {
  return Math.hypot(one.x - two.x, one.y - two.y);
}

/**
 * The width of the smallest target: a tap beside a piece chooses it too, where it is nearer than the others. The largest
 * of the pieces that choose the same thing counts.
 * @param {Box[]} pieces
 * @param {string[]} steps what each of them chooses
 */
export function leastTarget(pieces, steps) {
  const centres = pieces.map(centreOf);
  /** @type {Map<string, number>} by step */
  const widths = new Map();
  for (const [place, piece] of pieces.entries()) {
    const step = steps[place] ?? "";
    const others = centres.filter((_, other) => steps[other] !== step);
    const room = Math.min(FINGER, ...others.map((other) => distance(other, centreOf(piece))));
    widths.set(step, Math.max(widths.get(step) ?? 0, piece.width, room));
  }
  return Math.min(...widths.values());
}
