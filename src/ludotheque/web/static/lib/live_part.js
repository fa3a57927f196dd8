// @ts-check
// A part of a page that the server renders anew every few seconds, while someone looks.

import { replaceContent } from "./dom.js";

const SECONDS = 10;

export class LivePart {
  /** @type {string | null} as the server rendered it last; null before its first answer */
  #shown = null;

  /**
   * @param {HTMLElement} host
   * @param {string} url
   * @param {{headers?: () => Record<string, string>, changed?: () => void}} [options] what requests carry, and what
   *   follows a change
   */
  constructor(host, url, options = {}) {
    this.host = host;
    this.url = url;
    this.options = options;
    setInterval(() => this.refresh(), SECONDS * 1000);
    document.addEventListener("visibilitychange", () => this.refresh());
  }

  /** Ask the server again, unless nobody looks; a failure shows at the next press of a button. */
  async refresh() {
    if (document.hidden) return;
    const response = await fetch(this.url, { headers: this.options.headers?.() ?? {} }).catch(() => null);
    const text = response?.ok ? await response.text() : this.#shown;
    if (text !== null && text !== this.#shown) this.#show(text);
  }

  /** @param {string} text */
  #show(text) {
    const isFirst = this.#shown === null;
    this.#shown = text;
    const fresh = new DOMParser().parseFromString(text, "text/html").body;
    if (isFirst && fresh.innerHTML.trim() === this.host.innerHTML.trim()) return;
    keepTyped(this.host, fresh);
    replaceContent(this.host, ...fresh.childNodes);
    this.options.changed?.();
  }
}

/**
 * Put what someone has typed into the fields that take the place of theirs.
 * @param {HTMLElement} shown
 * @param {HTMLElement} fresh
 */
function keepTyped(shown, fresh) {
  for (const field of shown.querySelectorAll("input")) {
    const again = fresh.querySelector(`input[name="${CSS.escape(field.name)}"]`);
    if (!(again instanceof HTMLInputElement) || field.value === field.defaultValue) continue;
    again.value = field.value;
    again.setSelectionRange(field.selectionStart, field.selectionEnd);
  }
}
