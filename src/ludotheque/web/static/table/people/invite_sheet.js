// @ts-check
// The invitation to a free seat: its link large, to be copied, shared or read by a camera, and whom the table waits for.
// A host who has given no name is asked for one, since the invitation says who invites.

import { post, RequestError } from "../../lib/api.js";
import { openDialog } from "../../lib/dialog.js";
import { button, make, replaceContent } from "../../lib/dom.js";
import { isChallenged, keepLinks, keptLinks } from "../../lib/kept_links.js";
import { linkPanel } from "../../lib/link_panel.js";
import { rememberName } from "../../lib/my_name.js";
import { attempt, toast } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { hasName, isFree, nameOf, secretOf, tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../view.js").Seat} Seat */

const NAME_LENGTH = 40;

export class InviteSheet {
  #table;
  /** @type {HTMLDialogElement | null} */
  #dialog = null;
  #title = make("h2");
  #seats = make("div", { class: "row invited" });
  #link = make("div", { class: "link-place" });
  #waiting = make("p", { class: "waiting", role: "status" });
  #name = make("input", { name: "name", maxlength: NAME_LENGTH, autocomplete: "nickname" });
  #seat = 0; // whose link is shown
  /** @type {Seat[]} */
  #free = [];

  /** @param {string} table */
  constructor(table) {
    this.#table = table;
  }

  /**
   * @param {View} view
   * @param {number} seat
   */
  open(view, seat) {
    this.#dialog?.close();
    this.#free = view.seats.filter(isFree);
    const close = make("form", { method: "dialog", class: "row end" }, make("button", {}, _("Close")));
    const content = [this.#title, this.#nameField(view), this.#seats, this.#link, this.#waiting, close];
    this.#dialog = openDialog({ class: "setup invite-sheet", "aria-label": _("Invite") }, ...content);
    this.#choose(view, seat);
  }

  /**
   * The field for the name of a host who has given none.
   * @param {View} view
   */
  #nameField(view) {
    const mine = view.seats.find(({ mine }) => mine);
    this.#name.value = mine && hasName(mine) ? mine.name : "";
    if (!mine || hasName(mine)) return null;
    this.#name.onchange = () => this.#rename(mine.seat, this.#name.value.trim());
    return make("label", { class: "line" }, make("span", {}, _("Your name")), this.#name);
  }

  /**
   * @param {number} seat
   * @param {string} name
   */
  async #rename(seat, name) {
    if (name && (await attempt(() => post(`${tableUrl(this.#table)}/name`, { seat, name })))) rememberName(name);
  }

  /** @param {View} view */
  follow(view) {
    if (!this.#dialog?.open) return;
    const came = this.#free.filter(({ seat }) => view.seats[seat]?.taken);
    this.#free = view.seats.filter(isFree);
    const [first] = this.#free;
    if (!first || view.over || view.closed) this.#dialog.close();
    else if (came.length > 0) this.#choose(view, first.seat);
    else this.#show(view);
    for (const { seat } of came) toast(_("{name} is here", { name: nameOf(view, seat) }));
  }

  /**
   * Show the link to a seat.
   * @param {View} view
   * @param {number} seat
   */
  async #choose(view, seat) {
    this.#seat = seat;
    this.#show(view);
    this.#link.replaceChildren();
    const path = await attempt(() => this.#pathTo(seat));
    if (!path || seat !== this.#seat) return;
    this.#link.replaceChildren(linkPanel(new URL(path, location.origin).href, () => this.#words(view.title)));
    this.#link.querySelector("button")?.focus();
  }

  /** @param {string} game */
  #words(game) {
    const name = this.#name.value.trim();
    return name ? _("{name} invites you to {game}", { name, game }) : _("You are invited to {game}", { game });
  }

  /** @param {View} view */
  #show(view) {
    const chosen = this.#free.find(({ seat }) => seat === this.#seat);
    if (!chosen) return;
    this.#title.textContent = hasName(chosen) ? _("Invite {name}", { name: chosen.name }) : _("Invite a friend");
    this.#waiting.textContent = waitingText(chosen, isChallenged(this.#table, chosen.name));
    this.#waiting.classList.toggle("declined", chosen.declined);
    const apart = make("span", { class: "dim" }, _("Each friend needs a link of their own."));
    const choices = this.#free.length > 1 ? [...this.#free.map((seat) => this.#seatButton(view, seat)), apart] : [];
    replaceContent(this.#seats, ...choices);
  }

  /**
   * @param {View} view
   * @param {Seat} seat
   */
  #seatButton(view, { seat, name, colour, letter }) {
    const chip = make("span", { class: `chip colour-${colour}`, "aria-hidden": "true" }, letter);
    const choose = button("", () => this.#choose(view, seat), {
      class: "small",
      "data-key": seat,
      "aria-pressed": String(seat === this.#seat),
    });
    choose.append(chip, ` ${name}`);
    return choose;
  }

  /**
   * The path of a link to a free seat: one that this tab knows, so that those who have it can use it, or a new one.
   * @param {number} seat
   */
  async #pathTo(seat) {
    for (const path of keptLinks(this.#table)) if ((await this.#opens(path)) === seat) return path;
    /** @type {import("../../wire").Link} */
    const { url } = await post(`${tableUrl(this.#table)}/links`, { seat, replace: false });
    keepLinks(this.#table, url);
    return url;
  }

  /**
   * The free seat that a link opens: a newcomer who takes another colour changes it. Null if it opens none.
   * @param {string} path
   */
  async #opens(path) {
    try {
      /** @type {import("../../wire").Invitation} */
      const { seat, is_settled } = await post(`${tableUrl(this.#table)}/invitation`, {
        secret: secretOf(path.slice(path.indexOf("#"))),
      });
      return is_settled ? null : seat;
    } catch (error) {
      if (error instanceof RequestError && error.status === 403) return null; // the link has ended
      throw error;
    }
  }
}

/**
 * @param {Seat} seat
 * @param {boolean} challenged
 */
function waitingText(seat, challenged) {
  const { name } = seat;
  if (seat.declined) {
    return hasName(seat)
      ? _("{name} has declined. The link still works.", { name })
      : _("Your friend has declined. The link still works.");
  }
  if (challenged) return _("{name} will find your challenge in the lobby. The link works too.", { name });
  return hasName(seat) ? _("Waiting for {name}…", { name }) : _("Waiting for your friend…");
}
