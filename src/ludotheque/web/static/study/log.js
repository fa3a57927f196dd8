// @ts-check
// The latest lines of the log beside a lesson or a puzzle.

import { make, part } from "../lib/dom.js";

/**
 * Show the lines, scrolled to the latest.
 * @param {import("../wire").RenderedLine[]} lines
 * @param {import("../board/sentence.js").Sentences} sentences
 */
export function showLog(lines, sentences) {
  const log = part("log");
  log.replaceChildren(...lines.map((line) => make("li", {}, ...sentences.contentOf(line))));
  log.scrollTop = log.scrollHeight;
}
