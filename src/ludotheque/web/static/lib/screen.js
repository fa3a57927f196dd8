// @ts-check
// The kind of screen that the page is laid out for; `base.css` decides.

/** @type {boolean | null | undefined} null: not asked since the last change of size, undefined: never asked */
let isLarge;

export function isLargeScreen() {
  if (isLarge === undefined) addEventListener("resize", forget);
  isLarge ??= getComputedStyle(document.documentElement).getPropertyValue("--screen").trim() === "large";
  return isLarge;
}

function forget() {
  isLarge = null;
}
