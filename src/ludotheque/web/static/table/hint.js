// @ts-check
// The button that asks a bot for a hint, and its answer, which stays until the position changes.
//
// Event: "hint".

import { post } from "../lib/api.js";
import { part } from "../lib/dom.js";
import { Emitter } from "../lib/emitter.js";
import { attempt } from "../lib/toast.js";
import { tableUrl } from "./view.js";

/** @typedef {import("../wire").Hint} HintAnswer */
/** @typedef {import("./view.js").View} View */

/** @extends {Emitter<{hint: HintAnswer}>} */
export class Hint extends Emitter {
  #button = part("hint", HTMLButtonElement);
  #answer = part("hinted");
  /** @type {View | null} */
  #view = null;

  constructor() {
    super();
    this.#button.addEventListener("click", () => this.#ask());
  }

  /** @param {View} view */
  follow(view) {
    if (this.#view?.version !== view.version) this.#show("");
    this.#view = view;
  }

  /** @param {boolean} isAsking whether the player has something to decide now */
  offer(isAsking) {
    this.#button.hidden = !isAsking;
  }

  async #ask() {
    if (!this.#view) return;
    const { table, version, viewer: seat } = this.#view;
    this.#button.disabled = true;
    /** @type {HintAnswer | null} */
    const hint = await attempt(() => post(`${tableUrl(table)}/hint`, { seat, version }));
    this.#button.disabled = false;
    if (!hint || this.#view.version !== version) return;
    this.#show(hint.sentence || hint.label);
    this.emit("hint", hint);
  }

  /** @param {string} sentence */
  #show(sentence) {
    this.#answer.textContent = sentence;
    this.#answer.hidden = !sentence;
  }
}
