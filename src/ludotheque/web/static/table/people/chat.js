// @ts-check
// The chat, and how many messages are unread.

import { post } from "../../lib/api.js";
import { closest, field, make, part } from "../../lib/dom.js";
import { reportButton, reportLine } from "../../lib/report.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { tableUrl } from "../view.js";

export class Chat {
  #fold = part("chat-fold", HTMLDetailsElement);
  #list = part("chat");
  #ready = part("ready");
  #form = part("say", HTMLFormElement);
  #badges = [part("unread"), part("unread-tab")];
  #opener = part("chat-open"); // above the board, while there is something to read
  #spoken = part("spoken");
  #canReport = part("play-area").dataset.reports !== undefined;
  #isOpened = false; // whether the messages from before this page was opened have come
  #unread = 0;
  #latest = ""; // the last message, with who sent it, unless it was removed
  #last = 0; // the number of the last message: after a lost connection all are sent again

  /**
   * @param {string} table
   * @param {(seat: number) => boolean} isMine whether a seat is one's own
   */
  constructor(table, isMine) {
    this.url = `${tableUrl(table)}/chat`;
    this.isMine = isMine;
    this.#form.addEventListener("submit", (event) => this.#send(event));
    this.#ready.addEventListener("click", (event) => this.#sendReady(event));
    this.#fold.addEventListener("toggle", () => this.showUnread());
    this.#opener.addEventListener("click", () => this.#open());
  }

  /** @param {SubmitEvent} event */
  async #send(event) {
    event.preventDefault();
    const text = field(this.#form, "text").value.trim();
    if (text && (await attempt(() => post(this.url, { text })))) this.#form.reset();
  }

  /** @param {MouseEvent} event */
  #sendReady(event) {
    const ready = closest(event, "[data-ready]")?.dataset.ready;
    if (ready) attempt(() => post(this.url, { ready }));
  }

  /** @param {import("../../wire").ChatLine[]} messages */
  add(messages) {
    const fresh = messages.filter(({ id, text }) => id > this.#last && text);
    for (const message of fresh) {
      this.#last = message.id;
      this.#latest = this.#lineOf(message);
      this.#list.append(this.#row(message));
    }
    this.#remove(messages);
    if (this.#isOpened && !this.#isInView) this.#say(fresh);
    this.#isOpened = true;
    this.#list.scrollTop = this.#list.scrollHeight;
    this.#unread += fresh.length;
    this.showUnread();
  }

  /** @param {import("../../wire").ChatLine} message */
  #row(message) {
    const line = { id: message.id, name: message.name || _("Spectator"), text: this.#textOf(message) };
    const label = _("Report the message of {name}", { name: line.name });
    const canReport = this.#canReport && !this.isMine(message.seat);
    const report = canReport ? reportButton(label, () => reportLine(this.url, line)) : null;
    const said = make("p", {}, make("strong", {}, line.name), " ", make("span", {}, line.text));
    return make("li", { "data-line": line.id }, said, report);
  }

  /**
   * Remove the lines that the operator has removed: they come again without a text.
   * @param {import("../../wire").ChatLine[]} messages
   */
  #remove(messages) {
    for (const { id } of messages.filter(({ text }) => !text)) {
      this.#list.querySelector(`[data-line="${id}"]`)?.remove();
      if (id === this.#last) this.#latest = "";
    }
  }

  /**
   * Say messages aloud that come while the chat is folded or in another tab; otherwise its list is read as it grows.
   * @param {import("../../wire").ChatLine[]} messages
   */
  #say(messages) {
    this.#spoken.append(...messages.map((message) => make("p", {}, this.#lineOf(message))));
  }

  /** @param {import("../../wire").ChatLine} message */
  #lineOf(message) {
    return `${message.name || _("Spectator")}: ${this.#textOf(message)}`;
  }

  /**
   * The text of a message; a ready phrase in the reader's language, as its button says it.
   * @param {import("../../wire").ChatLine} message
   */
  #textOf({ text, ready }) {
    return (ready && this.#ready.querySelector(`[data-ready="${CSS.escape(ready)}"]`)?.textContent) || text;
  }

  #open() {
    this.#fold.open = true;
    this.#fold.scrollIntoView({ block: "nearest" });
    field(this.#form, "text").focus({ preventScroll: true });
  }

  get #isInView() {
    return this.#list.checkVisibility();
  }

  /** Show how many messages are unread: none as soon as the chat is shown. */
  showUnread() {
    if (this.#isInView) this.#unread = 0;
    const isRead = this.#unread === 0;
    for (const badge of this.#badges) {
      badge.hidden = isRead;
      badge.textContent = String(this.#unread);
    }
    this.#opener.hidden = isRead;
    const [told, chat] = [[`✉ ${this.#unread}`, this.#latest].filter(Boolean).join(" · "), _("Chat")];
    this.#opener.textContent = told;
    this.#opener.setAttribute("aria-label", `${told} – ${chat}`);
  }
}
