// @ts-check
// A page of something that people join by link, a tournament or a club: its secret, its live part and its buttons.

import { post, request } from "./api.js";
import { closest, part } from "./dom.js";
import { bearer, keepSecret, keepSecretOfAddress, keptSecret } from "./kept_secret.js";
import { showLink } from "./link_dialog.js";
import { LivePart } from "./live_part.js";
import { rememberedName, rememberName } from "./my_name.js";
import { attempt, toast } from "./toast.js";
import { _ } from "./translate.js";

/** @typedef {(button: HTMLElement) => Promise<unknown>} Act */

export class LinkedPage {
  #host;
  #live;

  /**
   * @param {string} kind the name of the part that is live
   * @param {string} folder the address above those of all such pages
   * @param {Record<string, Act>} acts what the buttons do, by `data-act`
   * @param {() => void} [changed] what follows when the live part has changed
   */
  constructor(kind, folder, acts, changed) {
    this.kind = kind;
    this.#host = part(kind);
    this.id = this.#host.dataset.id ?? "";
    this.page = `${folder}/${this.id}`;
    this.path = `/api${this.page}`;
    keepSecretOfAddress(kind, this.id);
    this.#live = new LivePart(this.#host, `${this.page}/live`, {
      headers: () => bearer(this.secret),
      changed: () => {
        this.#suggestName();
        changed?.();
      },
    });
    this.#host.addEventListener("click", (event) => this.#press(event, { join: () => this.join(), ...acts }));
    this.#suggestName();
    this.#live.refresh();
  }

  /** The secret of its link; empty if this browser has none. */
  get secret() {
    return keptSecret(this.kind, this.id);
  }

  /**
   * @param {string} command
   * @param {object} [body]
   * @returns {Promise<any>} the body of the answer: annotate what receives it
   */
  async send(command, body = {}) {
    const answer = await request(`${this.path}/${command}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...bearer(this.secret) },
      body: JSON.stringify(body),
    });
    await this.#live.refresh();
    return answer;
  }

  /** Join; one who has no profile makes one with the name they give. */
  async join() {
    const name = this.#nameField();
    if (name) {
      const given = name.value.trim();
      if (!given) return toast(_("Choose a name first."));
      await post("/api/profile", { name: given });
      rememberName(given);
    }
    return this.send("join");
  }

  /** Make a new link in place of the one before. */
  async renewLink() {
    /** @type {import("../wire").TournamentLink} */
    const link = await this.send("link");
    keepSecret(this.kind, this.id, link.url.split("#")[1] ?? "");
  }

  /** @param {string} sentence */
  showLink(sentence) {
    showLink(`${this.page}#${this.secret}`, sentence);
  }

  /** @returns {HTMLInputElement | null} */
  #nameField() {
    return this.#host.querySelector('input[name="name"]');
  }

  #suggestName() {
    const name = this.#nameField();
    if (name && !name.value && name !== document.activeElement) name.value = rememberedName();
  }

  /**
   * @param {Event} event
   * @param {Record<string, Act>} acts
   */
  #press(event, acts) {
    const button = closest(event, "[data-act]");
    const act = button instanceof HTMLElement && acts[button.dataset.act ?? ""];
    if (act) attempt(() => act(button));
  }
}
