// @ts-check
// Tells a player who looks elsewhere that it is their turn: by the page's title and icon, the badge of an installed
// app and, if chosen, a note; sounds are in sounds.js.

import { part } from "../../lib/dom.js";
import { callBack, chooseNotes, wantsNotes } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { isMyTurn } from "../view.js";

export class Notifications {
  #notify = part("notify", HTMLInputElement);
  #icon = document.querySelector("link[rel=icon]");
  #plain = this.#icon?.getAttribute("href") ?? "";
  /** @type {boolean | null} */
  #wasMyTurn = null;
  #others = 0; // other tables that wait for this person

  /** @param {string} title */
  constructor(title) {
    this.title = title;
    this.#remember(this.#notify);
    addEventListener("pagehide", () => setAppBadge(0));
    addEventListener("pageshow", ({ persisted }) => persisted && this.#showBadge());
  }

  /**
   * @param {HTMLInputElement} box
   */
  #remember(box) {
    box.checked = wantsNotes();
    box.addEventListener("change", async () => {
      box.checked = await chooseNotes(box.checked);
    });
  }

  /** @param {import("../view.js").View} view */
  follow(view) {
    const isMine = isMyTurn(view);
    const wasMine = this.#wasMyTurn;
    this.#wasMyTurn = isMine;
    this.#showTitle();
    if (isMine !== wasMine) this.#mark(isMine);
    if (isMine && wasMine === false) this.#call();
  }

  /** @param {boolean} isMine */
  #mark(isMine) {
    const marked = this.#icon?.getAttribute("data-marked") ?? "";
    this.#icon?.setAttribute("href", isMine ? marked : this.#plain);
    this.#showBadge();
  }

  /** @param {number} count of the other tables that wait for this person */
  countOthers(count) {
    this.#others = count;
    this.#showTitle();
    this.#showBadge();
  }

  #showTitle() {
    const others = this.#others > 0 ? `(${this.#others}) ` : "";
    const text = this.#wasMyTurn ? `● ${_("Your turn")} – ${this.title}` : `${this.title} – Ludotheque`;
    document.title = others + text;
  }

  #showBadge() {
    setAppBadge(this.#others + (this.#wasMyTurn ? 1 : 0));
  }

  #call() {
    callBack(_("It is your turn."), this.title);
  }
}

/**
 * Mark the icon of the installed app with a number; browsers without badges have no such function.
 * @param {number} count of the tables that wait
 */
function setAppBadge(count) {
  const done = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  done?.catch((error) => console.warn(error)); // a browser may refuse badges
}
