// @ts-check
// The form to type a move in the game's notation.

import { field, part } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";

export class TypedMove {
  #form = part("typed", HTMLFormElement);
  /** @type {import("../view.js").View | null} */
  #view = null;

  /** @param {import("../connection.js").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.#form.addEventListener("submit", (event) => this.#submit(event));
  }

  /** @param {import("../view.js").View} view */
  follow(view) {
    this.#view = view;
  }

  /** @param {SubmitEvent} event */
  async #submit(event) {
    event.preventDefault();
    const text = field(this.#form, "text").value.trim();
    if (!text || !this.#view) return;
    const { viewer: seat, version } = this.#view;
    if (await attempt(() => this.connection.send({ type: "move", seat, version, text }))) this.#form.reset();
  }
}
