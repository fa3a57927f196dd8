// @ts-check
// The kind of screen that the page is laid out for; `screens.css` decides.

export function isLargeScreen() {
  return getComputedStyle(document.documentElement).getPropertyValue("--screen").trim() === "large";
}
