// @ts-check
// Several players at one screen: the table is covered until the next one says that they are alone with it.

import { part } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { nameOf } from "../view.js";

export class HandOver {
  #dialog = part("hand-over", HTMLDialogElement);
  #playArea = part("play-area");
  /** @type {number | null} */
  #seat = null;

  /** @param {import("../connection.js").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.#dialog.addEventListener("cancel", (event) => event.preventDefault());
    part("hand-over-go").addEventListener("click", () => this.#go());
  }

  /** @param {import("../view.js").View} view */
  follow(view) {
    this.#seat = view.hand_over ?? null;
    this.#playArea.classList.toggle("covered", this.#seat !== null);
    if (this.#seat === null) {
      this.#dialog.close();
      return;
    }
    part("hand-over-name").textContent = _("{name}'s turn", { name: nameOf(view, this.#seat) });
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  /** Ask for the view of the seat, once: a second view would undo what the player has chosen by then. */
  async #go() {
    const seat = this.#seat;
    if (seat === null) return;
    this.#seat = null;
    this.connection.viewer = seat;
    const answer = await attempt(() => this.connection.send({ type: "look", seat }));
    if (answer === null) this.#seat = seat;
  }
}
