// @ts-check
// The invitation: a link large, to be copied, shared or read by a camera, and whom the table waits for. One link serves
// all friends, each of whom takes a free seat; a seat for someone who is challenged, or that is chosen, has its own.
// A host who has given no name is asked for one, since the invitation says who invites.

import { post, RequestError } from "../../lib/api.js";
import { openDialog } from "../../lib/dialog.js";
import { button, make, replaceContent } from "../../lib/dom.js";
import { isChallenged, keepLinks, keepSharedLink, keptLinks, sharedLink } from "../../lib/kept_links.js";
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
  /** @type {number | null} */
  #seat = null; // whose link is shown; null: that for all
  /** @type {Seat[]} */
  #free = [];

  /** @param {string} table */
  constructor(table) {
    this.#table = table;
  }

  /**
   * @param {View} view
   * @param {number | null} seat null: the link for all, if it leads to a seat
   */
  open(view, seat) {
    this.#dialog?.close();
    this.#free = view.seats.filter(isFree);
    const close = make("form", { method: "dialog", class: "row end" }, make("button", {}, _("Close")));
    const content = [this.#title, this.#nameField(view), this.#seats, this.#link, this.#waiting, close];
    this.#dialog = openDialog({ class: "setup invite-sheet", "aria-label": _("Invite") }, ...content);
    this.#choose(view, seat ?? this.#first());
  }

  /** The first people to get a link: all for whom no seat is reserved, or else the first who is challenged. */
  #first() {
    const [first] = this.#free;
    return first && this.#free.every(({ name }) => isChallenged(this.#table, name)) ? first.seat : null;
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
    const isOver = this.#free.length === 0 || view.over || view.closed;
    const isUsed = came.length > 0 && (this.#seat !== null || this.#first() !== null);
    if (isOver) this.#dialog.close();
    else if (isUsed) this.#choose(view, this.#first());
    else this.#show(view);
    for (const { seat } of came) toast(_("{name} is here", { name: nameOf(view, seat) }));
  }

  /**
   * Show the link to a seat, or that for all.
   * @param {View} view
   * @param {number | null} seat
   * @returns {Promise<void>}
   */
  async #choose(view, seat) {
    this.#seat = seat;
    this.#show(view);
    this.#link.replaceChildren();
    const path = await attempt(() => (seat === null ? this.#pathForAll() : this.#pathTo(seat)));
    if (seat !== this.#seat) return;
    const [first] = this.#free;
    if (path === "" && first) return await this.#choose(view, first.seat);
    if (!path) return;
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
    const forAll = this.#free.filter(({ name }) => !isChallenged(this.#table, name));
    const invited = this.#seat === null ? forAll : this.#free.filter(({ seat }) => seat === this.#seat);
    const [first] = invited;
    if (!first) return;
    const isForSeveral = invited.length > 1;
    const isAlone = !isForSeveral && hasName(first);
    const toOne = isAlone ? _("Invite {name}", { name: first.name }) : _("Invite a friend");
    this.#title.textContent = isForSeveral ? _("Invite your friends") : toOne;
    this.#waiting.textContent = isForSeveral
      ? severalText(invited)
      : waitingText(first, isChallenged(this.#table, first.name));
    this.#waiting.classList.toggle(
      "declined",
      invited.some(({ declined }) => declined),
    );
    replaceContent(this.#seats, ...(this.#free.length > 1 ? this.#choices(view, forAll) : []));
  }

  /**
   * The links to choose from: one for all, and one for each seat.
   * @param {View} view
   * @param {Seat[]} forAll
   */
  #choices(view, forAll) {
    const all = forAll.length > 0 ? [this.#choice(view, null, _("Everyone"))] : [];
    const words =
      this.#seat === null
        ? _("One link for everyone: each friend who opens it takes a free seat.")
        : _("This link is for one friend only.");
    return [
      ...all,
      ...this.#free.map(({ seat, name, colour, letter }) =>
        this.#choice(view, seat, chipOf(colour, letter), ` ${name}`),
      ),
      make("span", { class: "dim" }, words),
    ];
  }

  /**
   * @param {View} view
   * @param {number | null} seat
   * @param {...(Node | string)} label
   */
  #choice(view, seat, ...label) {
    const choose = button("", () => this.#choose(view, seat), {
      class: "small",
      "data-key": seat ?? "everyone",
      "aria-pressed": String(seat === this.#seat),
    });
    choose.append(...label);
    return choose;
  }

  /**
   * The path of the link for all friends: the one that this tab knows, if it still leads here, or a new one. Empty if
   * all free seats are for people who are challenged.
   */
  async #pathForAll() {
    const known = sharedLink(this.#table);
    if (known && (await this.#lookAt(known))) return known;
    try {
      /** @type {import("../../wire").Link} */
      const { url } = await post(`${tableUrl(this.#table)}/links`, { seat: null, replace: false });
      keepSharedLink(this.#table, url);
      return url;
    } catch (error) {
      if (error instanceof RequestError && error.error === "not-now") return "";
      throw error;
    }
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
    const found = await this.#lookAt(path);
    return !found || found.is_settled ? null : found.seat;
  }

  /**
   * The seat or table that a link opens; null if it has ended.
   * @param {string} path
   * @returns {Promise<import("../../wire").Invitation | null>}
   */
  async #lookAt(path) {
    try {
      return await post(`${tableUrl(this.#table)}/invitation`, { secret: secretOf(path.slice(path.indexOf("#"))) });
    } catch (error) {
      if (error instanceof RequestError && error.status === 403) return null; // the link has ended
      throw error;
    }
  }
}

/**
 * @param {string} colour
 * @param {string} letter
 */
function chipOf(colour, letter) {
  return make("span", { class: `chip colour-${colour}`, "aria-hidden": "true" }, letter);
}

/** @param {Seat[]} invited */
function severalText(invited) {
  const declined = invited.filter((seat) => seat.declined).length;
  if (declined > 0) return _("Declined: {count}. The link still works.", { count: declined });
  return _("Waiting for {name}…", { name: invited.map(({ name }) => name).join(", ") });
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
