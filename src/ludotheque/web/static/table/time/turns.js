// @ts-check
// Turns in the log: the lines of what one seat did until another one acted.

/** @typedef {import("../../wire").RenderedLine} Line */
/** @typedef {{seat: number | null, first: number, last: number, words: string}} Turn */

/**
 * The lines of a ply, with those of the move before it if they say nothing in short, as those of draws; in the present,
 * all since one's own last turn.
 * @param {Line[]} lines
 * @param {number} at the ply that the board shows
 * @param {number | null} since the ply before one's own last turn; null if only the latest counts
 */
export function newsAt(lines, at, since) {
  const known = lines.filter((line) => line.ply <= at);
  const fresh = since === null ? [] : known.filter((line) => line.ply > since);
  const told = known.findLast(({ short, text }) => short ?? text) ?? known.at(-1);
  return fresh.length > 0 ? fresh : known.filter((line) => told && line.ply >= told.ply);
}

/**
 * The turns that some lines tell of, in short words; those without any are left out. Draws belong to the turn before them.
 * @param {Line[]} lines
 * @returns {Turn[]}
 */
export function turnsOf(lines) {
  /** @type {Turn[]} */
  const turns = [];
  for (const { ply, seat = null, text, short } of lines) {
    const words = short ?? text;
    const turn = turns.at(-1);
    if (!turn || (seat !== null && seat !== turn.seat)) turns.push({ seat, first: ply, last: ply, words });
    else {
      turn.last = ply;
      turn.words = [turn.words, words].filter(Boolean).join(" ");
    }
  }
  return turns.filter(({ words }) => words);
}
