// @ts-check
// Scenes arrive as changes to the one before: this puts the whole scene together.

/** @typedef {import("../wire").RenderedPiece} Piece */
/** @typedef {import("../wire").RenderedScene} Scene */

/**
 * The fields of a change to a scene; a field that is missing stays as it was.
 * @typedef {Pick<Scene, "title" | "width" | "height" | "pieces"> & {
 *   tray_width?: number, tray_height?: number, legible?: number, thickness?: number, base?: number | null, gone?: string[], follows?: { [id: string]: string }, tables?: Scene["tables"] | null, gauges?: Scene["gauges"], sheet?: Scene["sheet"], asks?: string, continues?: boolean
 * }} SceneChange
 */

/**
 * The scene that a change makes of the one before it. A change with `base: null` is a whole scene.
 * @param {Scene | null} before
 * @param {SceneChange} change
 * @returns {Scene}
 */
export function patchScene(before, change) {
  const { gone = [], follows = {}, tables, asks } = change;
  const old = change.base === null ? [] : (before?.pieces ?? []);
  const pieces = new Map(old.map((piece) => [piece.id, piece]));
  for (const id of gone) pieces.delete(id);
  for (const piece of change.pieces) pieces.set(piece.id, piece);
  return {
    title: change.title,
    width: change.width,
    height: change.height,
    tray_width: change.tray_width ?? 0,
    tray_height: change.tray_height ?? 0,
    legible: change.legible ?? 0,
    thickness: change.thickness ?? 0,
    base: change.base ?? null,
    gone,
    follows,
    pieces: inOrder(pieces, follows),
    tables: tables ?? before?.tables ?? [],
    gauges: change.gauges ?? before?.gauges ?? [],
    sheet: change.sheet ?? null,
    asks: asks ?? before?.asks ?? "",
    continues: change.continues ?? false,
  };
}

/**
 * The pieces in the order of painting: those that follow another come right after it, or first; the others stay.
 * @param {Map<string, Piece>} pieces
 * @param {{ [id: string]: string }} follows
 */
function inOrder(pieces, follows) {
  const followers = new Map(Object.entries(follows).map(([id, before]) => [before, id]));
  /** @type {Piece[]} */
  const sorted = [];
  /** @param {string | undefined} first */
  function addFrom(first) {
    for (let id = first; id !== undefined; id = followers.get(id)) {
      const piece = pieces.get(id);
      if (!piece) throw new Error(`The scene has no piece ${id}`);
      sorted.push(piece);
    }
  }
  addFrom(followers.get(""));
  for (const id of pieces.keys()) if (!(id in follows)) addFrom(id);
  return sorted;
}

/**
 * The distance that most pieces on the board have moved from one scene to the next.
 * @param {Scene} before
 * @param {Scene} scene
 * @returns {{x: number, y: number}}
 */
export function commonShift(before, scene) {
  const old = new Map(before.pieces.map((piece) => [piece.id, piece]));
  /** @type {Map<string, {count: number, x: number, y: number}>} */
  const shifts = new Map();
  for (const { id, symbol, x = 0, y = 0, in_tray: isInTray } of scene.pieces) {
    const known = old.get(id);
    if (!symbol || !known || isInTray) continue;
    const shift = { x: x - (known.x ?? 0), y: y - (known.y ?? 0) };
    const key = `${shift.x} ${shift.y}`;
    shifts.set(key, { ...shift, count: (shifts.get(key)?.count ?? 0) + 1 });
  }
  const [most] = [...shifts.values()].sort((one, two) => two.count - one.count);
  return { x: most?.x ?? 0, y: most?.y ?? 0 };
}

/**
 * Whether a piece belongs to what a board that grows is made of.
 * @param {Piece} piece
 */
export function isMapped({ classes }) {
  return /\bmapped\b/.test(classes ?? "");
}
