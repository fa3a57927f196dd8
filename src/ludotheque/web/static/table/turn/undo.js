// @ts-check
// Undo: the button, and the other players' question whether they agree.

import { post } from "../../lib/api.js";
import { button, make, part, replaceContent } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { nameOf, tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */

export class Undo {
  #button = part("undo");
  #request = part("undo-request");
  #spoken = part("spoken");
  #said = "";
  /** @type {View | null} */
  #view = null;

  /** @param {import("../connection.js").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.#button.addEventListener("click", () => this.#undo());
  }

  /** @param {View} view */
  follow(view) {
    this.#view = view;
    this.#button.hidden = !view.undo;
    this.#button.textContent = view.undo === "ask" ? _("Ask to undo") : _("Undo");
    this.#request.hidden = !view.undo_request;
    replaceContent(this.#request, ...(view.undo_request ? this.#question(view, view.undo_request) : []));
    this.#say(this.#request.firstElementChild?.textContent ?? "");
  }

  /**
   * Say a request aloud, once. Its own box cannot be a live region: it is not rendered before there is a request.
   * @param {string} text
   */
  #say(text) {
    if (text && text !== this.#said) this.#spoken.append(make("p", {}, text));
    this.#said = text;
  }

  #undo() {
    if (!this.#view) return;
    const { mine, viewer, version } = this.#view;
    const seat = mine.includes(viewer) ? viewer : mine[0];
    if (seat !== undefined) attempt(() => this.connection.send({ type: "undo", seat, version }));
  }

  /**
   * @param {View} view
   * @param {NonNullable<View["undo_request"]>} request
   */
  #question(view, request) {
    const seat = request.waiting.find((one) => view.mine.includes(one));
    const name = nameOf(view, request.seat);
    if (seat === undefined) return [make("p", {}, _("{name} asks to undo a move. Waiting for the others.", { name }))];
    const answer = (/** @type {boolean} */ agree) =>
      attempt(() => post(`${tableUrl(view.table)}/undo/answer`, { seat, version: view.version, agree }));
    const agree = button(_("Agree"), () => answer(true), { class: "main", "data-key": "agree" });
    const refuse = button(_("Refuse"), () => answer(false), { "data-key": "refuse" });
    const question = make("p", {}, _("{name} asks to undo a move. Do you agree?", { name }));
    return [question, make("p", { class: "row" }, agree, refuse)];
  }
}
