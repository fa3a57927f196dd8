// @ts-check
// Which kind of screen this is; `styles/screens.css` alone decides where one ends and the next begins.

/** @returns {"phone" | "tablet" | "desktop"} */
export function screenKind() {
  const kind = getComputedStyle(document.documentElement).getPropertyValue("--screen").trim();
  return kind === "phone" || kind === "tablet" ? kind : "desktop";
}
