// @ts-check
// The switch for push messages: notifications while no page is open. Only for players, and where browser and server
// can both do it.

import { part } from "../../lib/dom.js";
import { canPush, endPush, isPushOn, startPush } from "../../lib/push.js";
import { attempt } from "../../lib/toast.js";

export class PushSwitch {
  #line = part("push-line");
  #box = part("push", HTMLInputElement);

  constructor() {
    this.#box.addEventListener("change", () => this.#change());
    this.#show();
  }

  /** @param {import("../view.js").View} view */
  follow(view) {
    this.#line.hidden = !canPush() || view.mine.length === 0;
  }

  async #show() {
    this.#box.checked = await isPushOn();
  }

  async #change() {
    const box = this.#box;
    box.disabled = true;
    await attempt(() => (box.checked ? startPush() : endPush()));
    await this.#show();
    box.disabled = false;
  }
}
