// @ts-check
// Trying the moves of a lesson or a puzzle.

import { attempt } from "../lib/toast.js";

/**
 * Try each move that the prompt reports; it asks again if the request failed.
 * @param {import("../play/prompt.js").Prompt} prompt
 * @param {(action: number) => Promise<void>} tryMove
 */
export function tryMoves(prompt, tryMove) {
  prompt.on("move", async ({ action }) => {
    if ((await attempt(() => tryMove(action))) === null) prompt.askAgain();
  });
}
