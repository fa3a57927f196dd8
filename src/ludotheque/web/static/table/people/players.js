// @ts-check
// The players at their seats: names, links for friends, taking a seat.

import { get, post } from "../../lib/api.js";
import { ask } from "../../lib/dialog.js";
import { button, make, part, replaceContent } from "../../lib/dom.js";
import { showLink } from "../../lib/link_dialog.js";
import { reportButton, reportName } from "../../lib/report.js";
import { attempt } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { hasSay, isFree, SPECTATOR, secretOf, tableUrl } from "../view.js";
import { linkEnds } from "./invite.js";
import { sit } from "./joining.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../view.js").Seat} Seat */

const NAME_LENGTH = 40;

export class Players {
  /**
   * @param {import("./clocks.js").Clocks} clocks
   * @param {(seat: number) => void} invite opens the invitation to a seat
   */
  constructor(clocks, invite) {
    this.clocks = clocks;
    this.invite = invite;
  }

  #fold = part("people");
  #list = part("seats");
  #otherDevice = part("elsewhere");
  #rated = part("rated");
  #canReport = part("play-area").dataset.reports !== undefined;
  #url = "";
  #table = "";

  /** @param {View} view */
  follow(view) {
    this.#url = tableUrl(view.table);
    this.#table = view.table;
    this.#rated.hidden = !view.rated; // one who comes by a link learns it only now
    replaceContent(this.#list, ...view.seats.map((seat) => this.#row(view, seat)), this.#watchers(view));
    this.#otherDevice.hidden = !view.mine.includes(view.viewer);
    this.#otherDevice.onclick = () => this.#link(view.viewer);
    this.#place(view);
  }

  /**
   * The list comes first as long as a player is missing; afterwards the points and the log do.
   * @param {View} view
   */
  #place(view) {
    const isWaiting = view.host && view.seats.some(isFree);
    const points = part("tables");
    const isFirst = Boolean(this.#fold.compareDocumentPosition(points) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (isWaiting && !isFirst) points.before(this.#fold);
    if (!isWaiting && isFirst) part("log").closest("details")?.after(this.#fold);
  }

  /** @param {View} view */
  #watchers(view) {
    const count = view.watchers;
    const counted = count === 0 ? "" : _("Spectators: {count}", { count });
    const text = view.watchable ? [counted, _("everyone may watch")].filter(Boolean).join(", ") : counted;
    const link = hasSay(view) && seatButton(SPECTATOR, _("Spectator link"), () => this.#link(SPECTATOR), "quiet small");
    const end = view.host && seatButton(SPECTATOR, _("End spectator links"), () => this.#endLinks(), "quiet small");
    return make("li", { class: "watchers" }, make("span", { class: "dim" }, text), link || null, end || null);
  }

  /**
   * @param {View} view
   * @param {Seat} seat
   */
  #row(view, seat) {
    const name = make("span", { class: "name" }, seat.name, this.#report(seat));
    const count = seat.browsers;
    const status = statusOf(view, seat);
    const words = count > 1 ? [status, _("browsers: {count}", { count })] : [status];
    if (seat.hints > 0) words.push(_("hints used: {count}", { count: seat.hints }));
    const state = make("span", { class: "dim" }, words.join(", "));
    const clock = this.clocks.element(seat.seat);
    const actions = [this.#action(view, seat), this.#standIn(view, seat)];
    const presence = isFree(seat) ? "awaited" : seat.present ? "present" : "away";
    return make("li", { class: presence }, name, clock, state, ...actions);
  }

  /** @param {Seat} seat */
  #report({ seat, name, mine, who, taken, stands_in: standsIn }) {
    if (!this.#canReport || mine || !(taken && (who === "person" || standsIn))) return null;
    const report = reportButton(_("Report the name {name}", { name }), () => reportName(this.#url, [name]));
    report.dataset.key = `${seat} report`;
    return report;
  }

  /**
   * Let a bot play on for someone who has left or whose time is up, or give the seat back.
   * @param {View} view
   * @param {Seat} seat
   */
  #standIn(view, seat) {
    if (view.over || seat.resigned !== null || !hasSay(view)) return null;
    const send = (/** @type {string} */ level) =>
      attempt(() => post(`${this.#url}/stand-in`, { seat: seat.seat, level }));
    if (seat.stands_in) {
      const label = seat.lent ? _("Take my seat back") : _("Give the seat back");
      return seatButton(seat.seat, label, () => send(""));
    }
    const isLate = view.awaited.includes(seat.seat) || this.clocks.left(seat.seat) === 0;
    const isGone = isFree(seat) || (seat.who === "person" && isLate);
    if (seat.mine || !isGone) return null;
    return seatButton(seat.seat, _("Let a bot play"), () => this.#chooseBot(_("Let a bot play"), send));
  }

  /**
   * The button for what one may do about a seat.
   * @param {View} view
   * @param {Seat} seat
   */
  #action(view, seat) {
    const { seat: number } = seat;
    if (seat.mine) return seatButton(number, _("Rename"), () => this.#rename(seat), "quiet small");
    if (seat.stopped && view.host) return seatButton(number, _("Replace the bot"), () => this.#replace(seat));
    if (view.host && seat.who === "person" && seat.taken)
      return seatButton(number, _("Replace link"), () => this.#replaceLink(seat), "quiet small");
    if (!isFree(seat)) return null;
    if (view.host) return seatButton(number, _("Invite link"), () => this.invite(number));
    return hasSay(view) || !(seat.open || secretOf(location.hash))
      ? null
      : seatButton(number, _("Take this seat"), () => attempt(() => this.#sit(view, seat)));
  }

  /**
   * @param {number} seat
   * @param {boolean} [replace] whether the old links end, and nobody holds the seat any more
   */
  #link(seat, replace = false) {
    return attempt(() => this.#showLink(seat, replace));
  }

  /**
   * @param {number} seat
   * @param {boolean} replace
   */
  async #showLink(seat, replace) {
    /** @type {import("../../wire").Link} */
    const link = await post(`${this.#url}/links`, { seat, replace });
    const isToWatch = seat === SPECTATOR;
    showLink(
      link.url,
      isToWatch ? _("Anyone with this link can watch.") : _("Send this link. Opening it takes the seat."),
    );
  }

  /** @param {Seat} seat */
  async #replaceLink({ seat, name }) {
    const question = _("Replace the link? {name} loses the seat until they open the new one.", { name });
    if (await ask(_("Replace link"), make("p", {}, question), linkEnds())) await this.#link(seat, true);
  }

  async #endLinks() {
    const question = _("End all spectator links? Everyone who came by one leaves the table.");
    if (!(await ask(_("End spectator links"), make("p", {}, question), linkEnds()))) return;
    await attempt(() => post(`${this.#url}/links/end`, {}));
  }

  /** @param {Seat} seat */
  async #rename(seat) {
    const input = make("input", { value: seat.name, maxlength: NAME_LENGTH, "aria-label": _("Name"), name: "name" });
    const label = make("label", { class: "line" }, make("span", {}, _("Name")), input);
    const answer = ask(_("Rename"), label);
    input.select();
    if (await answer) await attempt(() => post(`${this.#url}/name`, { seat: seat.seat, name: input.value }));
  }

  /** @param {Seat} seat */
  #replace(seat) {
    const send = (/** @type {string} */ level) => attempt(() => post(`${this.#url}/bot`, { seat: seat.seat, level }));
    this.#chooseBot(_("Replace the bot"), send, make("option", { value: "" }, _("Seat for a person")));
  }

  /**
   * Ask which bot is to play.
   * @param {string} label
   * @param {(level: string) => void} send
   * @param {...HTMLOptionElement} others
   */
  async #chooseBot(label, send, ...others) {
    /** @type {import("../../wire").LevelCard[] | null} */
    const levels = await attempt(() => get(`/api/levels?table=${this.#table}`));
    if (!levels) return;
    const options = levels.map(({ level, name }) => make("option", { value: level }, name));
    const who = make("select", { name: "level", "aria-label": label }, ...options, ...others);
    if (await ask(label, make("label", { class: "line" }, who))) send(who.value);
  }

  /**
   * @param {View} view
   * @param {Seat} seat
   */
  async #sit(view, seat) {
    if (secretOf(location.hash)) return location.reload(); // the link asks again
    const others = view.seats.filter((other) => other.open && other.seat !== seat.seat);
    await sit(view.table, [seat, ...others], view.rated);
  }
}

/**
 * A button about a seat, which keeps the focus when the list is drawn anew.
 * @param {number} seat
 * @param {string} label
 * @param {() => void} onclick
 * @param {string} [style] its classes
 */
function seatButton(seat, label, onclick, style = "small") {
  return button(label, onclick, { class: style, "data-key": `${seat} ${label}` });
}

/**
 * @param {View} view
 * @param {Seat} seat
 */
function statusOf(view, seat) {
  if (seat.stopped) return _("bot, stopped: {reason}", { reason: seat.stopped });
  if (seat.timed_out) return _("lost on time");
  if (seat.resigned !== null) return seat.who === "bot" ? _("resigned, a bot plays on") : _("resigned");
  if (seat.who === "bot") return seat.thinking ? _("bot, thinking") : _("bot");
  if (!seat.taken) return seat.declined ? _("declined") : _("free");
  if (seat.mine) return _("you");
  if (view.awaited.includes(seat.seat)) return _("not here yet");
  return seat.present ? _("online") : _("away");
}
