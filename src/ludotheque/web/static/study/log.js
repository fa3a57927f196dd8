// @ts-check
// The latest lines of the log beside a lesson or a puzzle.

import { make, part } from "../lib/dom.js";
import { unbroken } from "../lib/text.js";

/**
 * Show the lines, scrolled to the latest.
 * @param {import("../wire").RenderedLine[]} lines
 */
export function showLog(lines) {
  const log = part("log");
  log.replaceChildren(...lines.map(({ text }) => make("li", {}, unbroken(text))));
  log.scrollTop = log.scrollHeight;
}
