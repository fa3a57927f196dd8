// What is the same on every page: language and theme.

import { part } from "./dom.js";
import { setTheme, theme } from "./theme.js";

const language = part("language");
language.addEventListener("change", () => {
  document.cookie = `ludotheque_lang=${language.value}; path=/; max-age=31536000; SameSite=Lax`;
  location.reload();
});

const choice = part("theme");
choice.value = theme();
choice.addEventListener("change", () => setTheme(choice.value));
