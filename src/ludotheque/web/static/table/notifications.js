// @ts-check
// Tells a player who looks elsewhere that it is their turn: by the page's title and, if chosen, a note; sounds are in sounds.js.

import { part } from "../lib/dom.js";
import { _ } from "../lib/translate.js";

export class Notifications {
  #notify = part("notify", HTMLInputElement);
  /** @type {boolean | null} */
  #wasMyTurn = null;

  /** @param {string} title */
  constructor(title) {
    this.title = title;
    this.#remember(this.#notify);
  }

  /**
   * @param {HTMLInputElement} box
   */
  #remember(box) {
    box.checked = localStorage.getItem("notify") === "on";
    box.addEventListener("change", async () => {
      if (box.checked) box.checked = await mayNotify();
      localStorage.setItem("notify", box.checked ? "on" : "off");
    });
  }

  /** @param {boolean} isMine */
  showTurn(isMine) {
    document.title = isMine ? `● ${_("Your turn")} – ${this.title}` : `${this.title} – Ludotheque`;
    if (isMine && this.#wasMyTurn === false) this.#call();
    this.#wasMyTurn = isMine;
  }

  #call() {
    if (this.#notify.checked && document.hidden) new Notification(this.title, { body: _("It is your turn.") });
  }
}

async function mayNotify() {
  return (await globalThis.Notification?.requestPermission()) === "granted";
}
