// @ts-check
// On every page: the choice of language and theme, and the service worker.

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

// Browsers have none on pages over plain http, except from this machine.
const { serviceWorker = "" } = document.documentElement.dataset;
navigator.serviceWorker?.register(serviceWorker).catch((error) => console.warn(error));
