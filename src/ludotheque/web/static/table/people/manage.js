// @ts-check
// The host's button for the people at the table; its dialog is loaded when it is opened.

import { part } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { ManageDialog } from "./manage_dialog.js";

/** @typedef {import("../view.js").View} View */

export class Manage {
  #button = part("manage");
  /** @type {import("./manage_dialog.js").ManageDialog | null} */
  #dialog = null;
  /** @type {View | null} */
  #view = null;

  constructor() {
    this.#button.addEventListener("click", () => attempt(() => this.#open()));
  }

  /** @param {View} view */
  follow(view) {
    this.#view = view;
    this.#button.hidden = !view.host || view.closed;
    this.#dialog?.follow(view);
  }

  #open() {
    if (!this.#view) return;
    this.#dialog ??= new ManageDialog();
    this.#dialog.follow(this.#view);
    this.#dialog.open();
  }
}
