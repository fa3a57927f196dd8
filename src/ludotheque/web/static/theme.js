// Light or dark: as the system has it, or as chosen. Also for the art of a game, which only knows the system's wish.

const sheets = [];

export function theme() {
  return localStorage.getItem("theme") ?? "auto";
}

export function setTheme(name) {
  if (name === "auto") localStorage.removeItem("theme");
  else localStorage.setItem("theme", name);
  document.documentElement.dataset.theme = name;
  for (const sheet of sheets) settle(sheet);
}

/** A sheet whose rules for the dark follow the chosen theme. */
export function darkened(sheet) {
  sheets.push(sheet);
  settle(sheet);
  return sheet;
}

function settle(sheet) {
  const wish = { auto: "(prefers-color-scheme: dark)", dark: "all", light: "not all" }[theme()];
  for (const rule of sheet.cssRules) {
    if (!(rule instanceof CSSMediaRule)) continue;
    rule.isForTheDark ??= rule.conditionText.includes("prefers-color-scheme: dark");
    if (rule.isForTheDark) rule.media.mediaText = wish;
  }
}
