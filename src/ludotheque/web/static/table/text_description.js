// @ts-check
// The board as a list of sentences, for those who cannot see it.

import { make, part } from "../lib/dom.js";

export class TextDescription {
  #host = part("text-description");

  /** @param {import("./view.js").View} view */
  show(view) {
    const labels = view.scene.pieces.flatMap(({ label, where }) =>
      label ? [where ? `${where}: ${label}` : label] : [],
    );
    this.#host.replaceChildren(...labels.map((label) => make("li", {}, label)));
  }
}
