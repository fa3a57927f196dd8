// @ts-check
// The move of a lesson or a puzzle that is considered, drawn on the board.

/** @typedef {import("../wire").RenderedGhost} Ghost */

/**
 * Draw each move that the prompt considers; a newer one, or none, takes its place.
 * @param {import("../play/prompt.js").Prompt} prompt
 * @param {(action: number) => Promise<Ghost>} ghostOf asks the server
 */
export function previewMoves(prompt, ghostOf) {
  const { ghosts } = prompt.board;
  /** @type {number | null} */
  let considered = null;
  prompt.on("consider", async (action) => {
    considered = action;
    const ghost = action === null ? null : await ghostOf(action).catch(() => null);
    if (considered === action) ghosts.show("preview", ghost ? [{ ghost }] : []);
  });
}
