// @ts-check
// Make what is too wide for the screen scrollable by keyboard.

/** @type {NodeListOf<HTMLElement>} */
const blocks = document.querySelectorAll(".prose pre, .prose table");
for (const block of blocks) {
  if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
}
