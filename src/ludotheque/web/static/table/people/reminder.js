// @ts-check
// An e-mail address for reminders while the page is closed; only where the server sends e-mail, and only for players.

import { get, post } from "../../lib/api.js";
import { button, make } from "../../lib/dom.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../wire").ReminderView} Given */

const ADDRESS_LENGTH = 254;

export class Reminder {
  /** @type {HTMLElement | null} missing where the server sends no e-mail */
  #host = document.querySelector("[data-part=reminder]");
  #url = "";
  #isAsked = false;

  constructor() {
    this.#host?.closest("details")?.addEventListener("toggle", () => this.#ask());
  }

  /** @param {View} view */
  follow(view) {
    this.#url = `${tableUrl(view.table)}/reminder`;
    if (this.#host) this.#host.hidden = view.over || view.closed || view.mine.length === 0;
    this.#ask();
  }

  /** Ask the server once, when a player first unfolds what is around the field. */
  async #ask() {
    const host = this.#host;
    if (!host || host.hidden || this.#isAsked || !this.#url || !host.closest("details")?.open) return;
    this.#isAsked = true;
    /** @type {Given | null} */
    const given = await attempt(() => get(this.#url));
    if (given) this.#render(given);
  }

  /** @param {Given} given */
  #render(given) {
    this.#host?.replaceChildren(...(given.address ? this.#given(given) : [this.#form()]));
  }

  /** @param {Given} given */
  #given({ address, confirmed }) {
    const sentence = confirmed
      ? _("When this page is closed, reminders go to {address}.", { address })
      : _("A message is on its way to {address}. Open the link in it to get reminders.", { address });
    const end = button(_("No reminders"), () => this.#send(""), { class: "quiet small" });
    return [make("p", { role: "status" }, sentence), end];
  }

  #form() {
    const input = make("input", { type: "email", required: true, maxlength: ADDRESS_LENGTH, autocomplete: "email" });
    const label = make(
      "label",
      { class: "wide" },
      make("span", {}, _("Remind me by e-mail when this page is closed")),
      input,
    );
    const form = make("form", { class: "row" }, label, make("button", {}, _("OK")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send(input.value.trim());
    });
    return form;
  }

  /** @param {string} address empty: none */
  async #send(address) {
    /** @type {Given | null} */
    const given = await attempt(() => post(this.#url, { address }));
    if (given) this.#render(given);
  }
}
