// @ts-check
// The kind of screen that the page is laid out for; `screens.css` decides.

/** @type {boolean | null} as of the last change of size; null: not yet asked since */
let isLarge = null;
addEventListener("resize", () => {
  isLarge = null;
});

export function isLargeScreen() {
  isLarge ??= getComputedStyle(document.documentElement).getPropertyValue("--screen").trim() === "large";
  return isLarge;
}
