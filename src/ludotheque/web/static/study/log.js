// @ts-check
// The latest lines of the log beside a lesson or a puzzle.

import { make, part } from "../lib/dom.js";

/** @param {import("../wire").RenderedLine[]} lines */
export function showLog(lines) {
  part("log").replaceChildren(...lines.map(({ text }) => make("li", {}, text)));
}
