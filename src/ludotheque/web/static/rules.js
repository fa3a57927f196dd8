// @ts-check
// The rules: make what is too wide scrollable by keyboard, and search the sections.

import "./preferences.js";
import { part } from "./lib/dom.js";
import { isLargeScreen } from "./lib/screen.js";
import { _ } from "./lib/translate.js";

/** @type {NodeListOf<HTMLElement>} */
const blocks = document.querySelectorAll(".prose pre, .prose table");
for (const block of blocks) {
  if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
}

const search = part("search", HTMLInputElement);
const found = part("found");
const contents = part("contents", HTMLDetailsElement);
const isSmall = !isLargeScreen();
if (isSmall) contents.open = false;
contents.addEventListener("click", (event) => {
  if (isSmall && event.target instanceof HTMLAnchorElement) contents.open = false; // it lies over the text
});

/**
 * The sections of the rules: each begins with the anchor before its heading.
 * @returns {HTMLElement[][]}
 */
function sections() {
  /** @type {HTMLElement[][]} */
  const list = [[]];
  for (const element of part("article").children) {
    if (!(element instanceof HTMLElement)) continue;
    if (element.matches(".anchor")) list.push([]);
    list.at(-1)?.push(element);
  }
  return list;
}

const all = sections();

/** Show only the sections that hold the words searched for. */
function filter() {
  const words = search.value.trim().toLowerCase();
  const matching = all.filter((section) =>
    section.some((element) => element.textContent.toLowerCase().includes(words)),
  );
  for (const section of all) for (const element of section) element.hidden = !matching.includes(section);
  found.textContent = words ? _("Sections found: {count}", { count: matching.length }) : "";
}

search.addEventListener("input", filter);
search.addEventListener("change", () => {
  if (isSmall) contents.open = false; // what was found is below it
});
