// @ts-check
// The host's dialog about the people at the table: free a seat, mute, password, let everyone watch, close.

import { post } from "../../lib/api.js";
import { ask, openDialog } from "../../lib/dialog.js";
import { button, make, replaceContent } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { SPECTATOR, tableUrl } from "../view.js";
import { linkEnds } from "./invite.js";

/** @typedef {import("../view.js").View} View */

const PASSWORD_LENGTH = 100;

export class ManageDialog {
  #people = make("ul", { class: "people" });
  #password = make("input", { type: "password", maxlength: PASSWORD_LENGTH, autocomplete: "new-password" });
  #hint = make("p", { class: "dim" });
  #set = make("button");
  #watchable = make("input", { type: "checkbox" });
  /** @type {View | null} */
  #view = null;

  /** @param {View} view */
  follow(view) {
    this.#view = view;
    this.#hint.textContent = view.locked ? _("A password is set; an empty one removes it.") : _("No password is set.");
    this.#set.textContent = view.locked ? _("Change or remove") : _("Set");
    this.#watchable.checked = view.watchable;
    const others = view.seats.filter((seat) => seat.who === "person" && seat.taken && !seat.mine);
    const rows = others.map(({ seat, name }) => this.#person(view, seat, name, true));
    replaceContent(this.#people, ...rows, this.#person(view, SPECTATOR, _("Spectators"), false));
  }

  open() {
    this.#password.value = "";
    const close = make(
      "p",
      { class: "apart" },
      button(_("Close this table"), () => this.#close(), { class: "small" }),
    );
    const content = make("div", { class: "manage" }, this.#people, this.#watchBox(), this.#passwordForm(), close);
    const done = make("form", { method: "dialog", class: "row end" }, make("button", { class: "main" }, _("Done")));
    openDialog({ "aria-label": _("Manage table") }, make("h2", {}, _("Manage table")), content, done);
  }

  /**
   * @param {View} view
   * @param {number} seat
   * @param {string} name
   * @param {boolean} isSeated
   */
  #person(view, seat, name, isSeated) {
    const isMuted = view.muted.includes(seat);
    const mute = button(isMuted ? _("Unmute") : _("Mute"), () => this.#send("mute", { seat, muted: !isMuted }), {
      class: "small",
      "data-key": `mute ${seat}`,
      "aria-label": isMuted ? _("Unmute {name}", { name }) : _("Mute {name}", { name }),
    });
    const free = button(_("Free the seat"), () => this.#free(seat, name), {
      class: "small",
      "data-key": `free ${seat}`,
      "aria-label": _("Free the seat of {name}", { name }),
    });
    return make("li", {}, make("span", { class: "name" }, name), mute, isSeated ? free : null);
  }

  #watchBox() {
    const box = this.#watchable;
    box.onchange = async () => {
      if (!(await this.#send("watchable", { watchable: box.checked }))) box.checked = !box.checked;
    };
    return make("label", { class: "check" }, box, _("Everyone may watch: the game is listed in the lobby"));
  }

  #passwordForm() {
    const label = make("label", { class: "line" }, make("span", {}, _("Password for newcomers")), this.#password);
    const form = make("form", {}, label, this.#hint, this.#set);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await this.#send("password", { password: this.#password.value })) this.#password.value = "";
    });
    return form;
  }

  /**
   * @param {number} seat
   * @param {string} name
   */
  async #free(seat, name) {
    const question = _("Free the seat? {name} leaves the table, and someone else can take the seat.", { name });
    if (await ask(_("Free the seat"), make("p", {}, question), linkEnds())) await this.#send("free", { seat });
  }

  async #close() {
    const question = _("Close this table for good? The game can then only be viewed.");
    if (!(await ask(_("Close this table"), make("p", {}, question)))) return;
    await this.#send("close", {});
  }

  /**
   * @param {string} what
   * @param {object} body
   */
  async #send(what, body) {
    return await attempt(() => post(`${tableUrl(this.#view?.table ?? "")}/${what}`, body));
  }
}
