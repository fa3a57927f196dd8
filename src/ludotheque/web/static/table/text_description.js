// @ts-check
// The board as a list of sentences, for those who cannot see it; written while it is unfolded.

import { make, part } from "../lib/dom.js";

/** @typedef {import("./view.js").View} View */

export class TextDescription {
  #host = part("text-description");
  #fold = this.#host.closest("details");
  /** @type {View | null} */
  #view = null;

  constructor() {
    this.#fold?.addEventListener("toggle", () => this.#write());
  }

  /** @param {View} view */
  show(view) {
    this.#view = view;
    this.#write();
  }

  #write() {
    const pieces = this.#fold?.open === false ? [] : (this.#view?.scene.pieces ?? []);
    const labels = pieces.flatMap(({ label, where }) => (label ? [where ? `${where}: ${label}` : label] : []));
    this.#host.replaceChildren(...labels.map((label) => make("li", {}, label)));
  }
}
