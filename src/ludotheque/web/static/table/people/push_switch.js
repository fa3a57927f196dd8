// @ts-check
// The switch for push messages: notifications while no page is open. Only for players, and where browser and server
// can both do it.

import { canPush, endPush, isPushOn, startPush } from "../../lib/push.js";
import { attempt } from "../../lib/toast.js";

export class PushSwitch {
  /** @type {HTMLElement | null} a server without push messages has none */
  #line = document.querySelector("[data-part=push-line]");
  #box = this.#line?.querySelector("input");

  constructor() {
    this.#box?.addEventListener("change", () => this.#change());
  }

  /** @param {import("../view.js").View} view */
  follow(view) {
    const isOffered = canPush() && view.mine.length > 0;
    if (!this.#line || this.#line.hidden !== isOffered) return;
    this.#line.hidden = !isOffered;
    if (isOffered) this.#show();
  }

  async #show() {
    if (this.#box) this.#box.checked = await isPushOn();
  }

  async #change() {
    const box = this.#box;
    if (!box) return;
    box.disabled = true;
    await attempt(() => (box.checked ? startPush() : endPush()));
    await this.#show();
    box.disabled = false;
  }
}
