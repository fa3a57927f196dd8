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
  /** @type {import("../play/prompt.js").Actions | null} */
  let considered = null;
  prompt.on("consider", async (move) => {
    considered = move;
    const ghost = move ? await ghostOf(move.action).catch(() => null) : null;
    if (considered === move) ghosts.show("preview", ghost ? [{ ghost }] : []);
  });
}
