// Who sits where, links for friends, the pace of bots, and the chat.

import { post } from "./api.js";
import { button, make, part } from "./dom.js";
import { showLink } from "./links.js";
import { toast } from "./toast.js";
import { _ } from "./words.js";

const SPECTATOR = -5;

export class People {
  constructor(table) {
    this.url = `/api/tables/${table}`;
    this.unread = 0;
    this.heard = 0; // the number of the last message: after a lost connection all come again
    part("say").addEventListener("submit", (event) => this.phrase(event));
    part("elsewhere").addEventListener("click", () => this.link(this.view.viewer));
    part("chat-fold").addEventListener("toggle", () => this.read());
  }

  /** Carry something out; if it fails, say why. */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      toast(error.message);
      return null;
    }
  }

  show(view) {
    this.view = view;
    part("seats").replaceChildren(...view.seats.map((seat) => this.seat(seat)), this.watchers());
    part("elsewhere").hidden = !view.mine.includes(view.viewer);
    this.settle(view);
    this.pace(view);
  }

  /** As long as somebody is missing, who sits where comes first; afterwards the points and the log do. */
  settle(view) {
    const isWaiting = view.host && view.seats.some((seat) => seat.who !== "bot" && !seat.taken);
    const [list, points] = [part("people"), part("tables")];
    const isFirst = Boolean(list.compareDocumentPosition(points) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (isWaiting && !isFirst) points.before(list);
    if (!isWaiting && isFirst) part("log").closest("details").after(list);
  }

  watchers() {
    const { watchers, mine, host } = this.view;
    const words =
      watchers === 0 ? "" : watchers === 1 ? _("1 person watches") : _("{count} people watch", { count: watchers });
    return make(
      "li",
      {},
      make("span", { class: "dim" }, words),
      mine.length > 0 || host ? button(_("Link to watch"), () => this.link(SPECTATOR), { class: "quiet small" }) : null,
    );
  }

  seat(seat) {
    const row = make("li", { class: seat.present ? "present" : "away" });
    row.append(make("span", { class: "name" }, seat.name), make("span", { class: "dim" }, this.told(seat)));
    if (seat.mine) row.append(button(_("Rename"), () => this.rename(seat), { class: "quiet small" }));
    else if (seat.who !== "bot" && !seat.taken && this.view.mine.length === 0 && !this.view.host) {
      row.append(button(_("Sit here"), () => this.sit(seat), { class: "small" }));
    }
    if (seat.who !== "bot" && this.view.host && !seat.taken) {
      row.append(button(_("Copy the link for this seat"), () => this.link(seat.seat), { class: "small" }));
    }
    return row;
  }

  told(seat) {
    if (seat.who === "bot") return seat.thinking ? _("bot, thinking") : _("bot");
    if (!seat.taken) return _("free");
    if (seat.mine) return _("you");
    return seat.present ? _("here") : _("away");
  }

  async link(seat) {
    const answer = await this.attempt(() => post(`${this.url}/links`, { seat }));
    if (!answer) return;
    await showLink(
      answer.url,
      seat === SPECTATOR
        ? _("Whoever opens this link can watch.")
        : _("Send this link. Whoever opens it sits down there."),
    );
  }

  rename(seat) {
    const input = make("input", { value: seat.name, maxlength: 40, "aria-label": _("Name"), name: "name" });
    const dialog = make(
      "dialog",
      { class: "setup" },
      make(
        "form",
        { method: "dialog" },
        make("label", { class: "line" }, make("span", {}, _("Name")), input),
        make("div", { class: "row end" }, make("button", { class: "main", value: "yes" }, _("OK"))),
      ),
    );
    document.body.append(dialog);
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (dialog.returnValue === "yes")
        this.attempt(() => post(`${this.url}/name`, { seat: seat.seat, name: input.value }));
    });
    dialog.showModal();
    input.select();
  }

  async sit(seat) {
    const answer = await this.attempt(() => post(`${this.url}/sit`, { seat: seat.seat }));
    if (answer) location.reload();
  }

  /** How fast the bots move, for those who may say so. */
  pace(view) {
    const host = part("pace");
    host.hidden = view.over || !view.seats.some((seat) => seat.who === "bot") || (view.mine.length === 0 && !view.host);
    if (host.hidden || host.contains(document.activeElement)) return;
    const { seconds, paused } = view.pace;
    const set = (change) => this.attempt(() => post(`${this.url}/pace`, { seconds, paused, ...change }));
    const range = make("input", {
      type: "range",
      min: 0,
      max: 3,
      step: 0.25,
      value: seconds,
      onchange: (event) => set({ seconds: Number(event.target.value) }),
    });
    host.replaceChildren(
      make("label", { class: "wide" }, make("span", {}, _("Seconds for a move of a bot")), range),
      button(paused ? _("Go on") : _("Pause"), () => set({ paused: !paused }), { class: "small" }),
    );
  }

  // Chat.

  async phrase(event) {
    event.preventDefault();
    const form = event.target;
    const text = form.elements.text.value.trim();
    if (text && (await this.attempt(() => post(`${this.url}/chat`, { text })))) form.reset();
  }

  hear(messages) {
    const list = part("chat");
    const fresh = messages.filter((message) => message.id > this.heard);
    for (const { id, name, text } of fresh) {
      this.heard = id;
      list.append(make("li", {}, make("strong", {}, name || _("Spectator")), " ", make("span", {}, text)));
    }
    list.scrollTop = list.scrollHeight;
    this.unread += fresh.length;
    this.read();
  }

  read() {
    if (part("chat-fold").open) this.unread = 0;
    part("unread").hidden = this.unread === 0;
    part("unread").textContent = this.unread;
  }
}
