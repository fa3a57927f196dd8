// @ts-check
// The host's dialog about the people at the table: free a seat, mute, password, close.

import { post } from "../lib/api.js";
import { openDialog } from "../lib/dialog.js";
import { button, make, part } from "../lib/dom.js";
import { attempt } from "../lib/toast.js";
import { _ } from "../lib/translate.js";
import { SPECTATOR, tableUrl } from "./view.js";

/** @typedef {import("./view.js").View} View */

const PASSWORD_LENGTH = 100;

export class Manage {
  #button = part("manage");
  /** @type {View | null} */
  #view = null;
  /** @type {HTMLElement | null} the open dialog's content */
  #content = null;

  constructor() {
    this.#button.addEventListener("click", () => this.#open());
  }

  /** @param {View} view */
  show(view) {
    this.#view = view;
    this.#button.hidden = !view.host || view.closed;
    this.#content?.replaceChildren(...this.#controls(view));
  }

  #open() {
    if (!this.#view) return;
    const content = make("div", { class: "manage" }, ...this.#controls(this.#view));
    this.#content = content;
    const done = make("form", { method: "dialog", class: "row end" }, make("button", { class: "main" }, _("Close")));
    const dialog = openDialog({ "aria-label": _("Manage table") }, make("h2", {}, _("Manage table")), content, done);
    dialog.addEventListener("close", () => {
      this.#content = null;
    });
  }

  /** @param {View} view */
  #controls(view) {
    const others = view.seats.filter((seat) => seat.who === "person" && seat.taken && !seat.mine);
    const rows = others.map(({ seat, name }) => this.#person(view, seat, name, true));
    const people = make("ul", { class: "people" }, ...rows, this.#person(view, SPECTATOR, _("Spectators"), false));
    return [people, this.#password(view), button(_("Close this table"), () => this.#close())];
  }

  /**
   * @param {View} view
   * @param {number} seat
   * @param {string} name
   * @param {boolean} isSeated
   */
  #person(view, seat, name, isSeated) {
    const isMuted = view.muted.includes(seat);
    const mute = button(isMuted ? _("Let chat") : _("Mute"), () => this.#send("mute", { seat, muted: !isMuted }), {
      class: "small",
      "aria-label": isMuted ? _("Let {name} chat", { name }) : _("Mute {name}", { name }),
    });
    const free = button(_("Free the seat"), () => this.#send("free", { seat }), {
      class: "small",
      "aria-label": _("Free the seat of {name}", { name }),
    });
    return make("li", {}, make("span", { class: "name" }, name), mute, isSeated ? free : null);
  }

  /** @param {View} view */
  #password(view) {
    const input = make("input", { type: "password", maxlength: PASSWORD_LENGTH, autocomplete: "new-password" });
    const label = make("label", { class: "line" }, make("span", {}, _("Password for newcomers")), input);
    const set = make("button", {}, view.locked ? _("Change or remove") : _("Set"));
    const hint = view.locked ? _("A password is set; an empty one removes it.") : _("No password is set.");
    const form = make("form", {}, label, make("p", { class: "dim" }, hint), set);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send("password", { password: input.value });
    });
    return form;
  }

  async #close() {
    if (!confirm(_("Close this table for good? The game can then only be looked at."))) return;
    await this.#send("close", {});
  }

  /**
   * @param {string} what
   * @param {object} body
   */
  async #send(what, body) {
    if (this.#view) await attempt(() => post(`${tableUrl(this.#view?.table ?? "")}/${what}`, body));
  }
}
