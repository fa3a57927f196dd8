// @ts-check
// While a seat waits for a person: a note for the host with a button that opens the invitation, and a mark on the seat.
// The invitation opens by itself when the table has just been set up.

import { button, make, part, replaceContent } from "../../lib/dom.js";
import { INVITE } from "../../lib/kept_links.js";
import { _ } from "../../lib/translate.js";
import { isFree } from "../view.js";
import { InviteSheet } from "./invite_sheet.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../view.js").Seat} Seat */

/** The words of a question whose answer ends the link of the invitation: those who were sent away may have it. */
export function linkEnds() {
  return make("p", { class: "dim" }, _("The link of the invitation ends too."));
}

export class Invite {
  #playArea = part("play-area");
  #note = part("invite");
  /** @type {InviteSheet | null} */
  #sheet = null;
  /** @type {View | null} */
  #view = null;

  /** @param {View} view */
  follow(view) {
    this.#view = view;
    const free = view.over || view.closed ? [] : view.seats.filter(isFree);
    this.#playArea.dataset.awaited = free.map(({ seat }) => seat).join(" ");
    this.#showNote(view, free);
    this.#sheet?.follow(view);
    if (location.hash === INVITE) this.#greet(view, free);
  }

  /**
   * @param {View} view
   * @param {Seat[]} free
   */
  #showNote(view, free) {
    const [first] = free;
    this.#note.hidden = !view.host || !first;
    if (!first || this.#note.hidden) return this.#note.replaceChildren();
    const names = free.map(({ name }) => name).join(", ");
    const isTold = view.dice?.state === "open"; // the note about the dice names them
    const sentence = make("p", {}, isTold ? "" : _("Waiting for {names}", { names }));
    const invite = button(_("Invite"), () => this.open(null), { class: "main", "data-key": "invite" });
    replaceContent(this.#note, sentence, invite);
  }

  /**
   * @param {View} view
   * @param {Seat[]} free
   */
  #greet(view, free) {
    history.replaceState(null, "", location.pathname + location.search);
    const first = free.find(({ open }) => !open);
    if (view.host && first) this.open(null);
  }

  /**
   * Open the invitation to a seat, or to all that are free.
   * @param {number | null} seat
   */
  open(seat) {
    if (!this.#view) return;
    this.#sheet ??= new InviteSheet(this.#view.table);
    this.#sheet.open(this.#view, seat);
  }
}
