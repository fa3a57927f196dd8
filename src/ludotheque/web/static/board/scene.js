// @ts-check
// Scenes arrive as changes to the one before: this puts the whole scene together.

/** @typedef {import("../wire").RenderedPiece} Piece */
/** @typedef {import("../wire").RenderedScene} Scene */

/**
 * What a change to a scene may say; a field that is missing stays as it was.
 * @typedef {Pick<Scene, "title" | "width" | "height" | "pieces"> & {
 *   tray_width?: number, tray_height?: number, base?: number | null, gone?: string[], order?: string[] | null, tables?: Scene["tables"] | null, asks?: string, continues?: boolean
 * }} SceneChange
 */

/**
 * The scene that a change makes of the one before it. A change with `base: null` is a whole scene.
 * @param {Scene | null} before
 * @param {SceneChange} change
 * @returns {Scene}
 */
export function patchScene(before, change) {
  const { gone = [], order = null, tables, asks } = change;
  const old = change.base === null ? [] : (before?.pieces ?? []);
  let pieces = new Map(old.map((piece) => [piece.id, piece]));
  for (const id of gone) pieces.delete(id);
  for (const piece of change.pieces) pieces.set(piece.id, piece);
  if (order) pieces = inOrder(pieces, order);
  return {
    title: change.title,
    width: change.width,
    height: change.height,
    tray_width: change.tray_width ?? 0,
    tray_height: change.tray_height ?? 0,
    base: change.base ?? null,
    gone,
    order,
    pieces: [...pieces.values()],
    tables: tables ?? before?.tables ?? [],
    asks: asks ?? before?.asks ?? "",
    continues: change.continues ?? false,
  };
}

/**
 * @param {Map<string, Piece>} pieces
 * @param {string[]} order
 */
function inOrder(pieces, order) {
  /** @type {Map<string, Piece>} */
  const sorted = new Map();
  for (const id of order) {
    const piece = pieces.get(id);
    if (!piece) throw new Error(`The scene has no piece ${id}`);
    sorted.set(id, piece);
  }
  return sorted;
}
