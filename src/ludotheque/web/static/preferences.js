// @ts-check
// The choice of language and theme, on every page.

import { part } from "./lib/dom.js";
import { setTheme, theme } from "./lib/theme.js";

const language = part("language", HTMLSelectElement);
language.addEventListener("change", () => {
  document.cookie = `ludotheque_lang=${language.value}; path=/; max-age=31536000; SameSite=Lax`;
  location.reload();
});

const choice = part("theme", HTMLSelectElement);
choice.value = theme();
choice.addEventListener("change", () => setTheme(choice.value));
