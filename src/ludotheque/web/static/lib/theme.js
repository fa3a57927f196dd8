// @ts-check
// Light or dark: as the system has it, or as chosen. Also for the art of a game, which only knows the system's choice.

const DARK = "prefers-color-scheme: dark";
/** @type {CSSStyleSheet[]} */
const sheets = [];
/** @type {WeakSet<CSSRule>} */
const darkRules = new WeakSet();

/** @returns {string} "auto", "light" or "dark" */
export function theme() {
  return localStorage.getItem("theme") ?? "auto";
}

/** @param {string} name */
export function setTheme(name) {
  if (name === "auto") localStorage.removeItem("theme");
  else localStorage.setItem("theme", name);
  document.documentElement.dataset.theme = name;
  for (const sheet of sheets) apply(sheet);
}

/**
 * Make the dark rules of a style sheet follow the chosen theme.
 * @param {CSSStyleSheet} sheet
 */
export function followTheme(sheet) {
  sheets.push(sheet);
  apply(sheet);
  return sheet;
}

/** @param {CSSStyleSheet} sheet */
function apply(sheet) {
  const condition = { dark: "all", light: "not all" }[theme()] ?? `(${DARK})`;
  for (const rule of sheet.cssRules) {
    if (!(rule instanceof CSSMediaRule)) continue;
    if (rule.conditionText.includes(DARK)) darkRules.add(rule);
    if (darkRules.has(rule)) rule.media.mediaText = condition;
  }
}
