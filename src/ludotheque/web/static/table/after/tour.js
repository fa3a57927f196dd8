// @ts-check
// The mistakes of a reviewed game, one at a time: a large board with the move that was played and the better one, and a
// sentence below it. Each has an address of its own, `?mistake=2`; "back" of the browser leads to the table again.

import { button, make, part, replaceContent } from "../../lib/dom.js";
import { unbroken } from "../../lib/text.js";
import { _ } from "../../lib/translate.js";

/** @typedef {import("../view.js").View} View */

const NAME = "mistake";

/** The mistake that the address asks for, counted from 0; null if it asks for none. */
export function askedMistake() {
  const place = Number(new URL(location.href).searchParams.get(NAME));
  return place > 0 ? place - 1 : null;
}

/**
 * The address of this page with a mistake, counted from 0, or without any.
 * @param {number | null} place
 */
function addressOf(place) {
  const address = new URL(location.href);
  address.searchParams.delete("at");
  if (place === null) address.searchParams.delete(NAME);
  else address.searchParams.set(NAME, String(place + 1));
  return address.href;
}

export class Tour {
  #host = part("tour");
  #playArea = part("play-area");
  #place = 0;
  #hasCome = false; // whether the table is the page before this one
  /** @type {HTMLElement[]} the list that the server made, in the order of the game */
  #mistakes = [];
  /** @type {View | null} */
  #view = null;

  /** @param {import("./comparison.js").Comparison} comparison */
  constructor(comparison) {
    this.comparison = comparison;
    this.#host.addEventListener("keydown", (event) => event.key === "Escape" && this.#leave());
    addEventListener("popstate", () => this.#followAddress());
  }

  /**
   * @param {View} view
   * @param {number} place of the mistake to begin with
   */
  open(view, place) {
    this.#view = view;
    this.#mistakes = [...document.querySelectorAll("[data-mistake]")].filter((item) => item instanceof HTMLElement);
    if (askedMistake() === null) {
      history.pushState(null, "", addressOf(place));
      this.#hasCome = true;
    }
    this.#enter(place);
  }

  /** @param {number} place */
  #enter(place) {
    this.#playArea.classList.add("touring");
    this.#host.hidden = false;
    this.#show(Math.min(place, this.#mistakes.length - 1));
    this.#button("next")?.focus();
  }

  /** Show what the address asks for after "back" or "forward" of the browser. */
  #followAddress() {
    const place = askedMistake();
    if (place === null) this.#close();
    else if (this.#view) this.#enter(place);
  }

  /** @param {number} place */
  #show(place) {
    const mistake = this.#mistakes[place];
    if (!mistake || !this.#view) return;
    this.#place = place;
    history.replaceState(null, "", addressOf(place));
    const count = this.#mistakes.length;
    const isLast = place === count - 1;
    replaceContent(
      this.#host,
      make(
        "p",
        {},
        make("span", { class: "dim" }, _("{at} of {now}", { at: place + 1, now: count })),
        " ",
        unbroken(mistake.textContent ?? ""),
      ),
      make(
        "div",
        { class: "row" },
        button(_("Previous"), () => this.#show(this.#place - 1), { disabled: place === 0, "data-key": "previous" }),
        isLast
          ? button(_("Done"), () => this.#leave(), { class: "main", "data-key": "next" })
          : button(_("Next"), () => this.#show(this.#place + 1), { class: "main", "data-key": "next" }),
        isLast ? null : button(_("Close"), () => this.#leave(), { class: "quiet", "data-key": "close" }),
      ),
    );
    this.comparison.show(this.#view, Number(mistake.dataset.mistake));
  }

  /**
   * @param {string} key
   * @returns {HTMLElement | null}
   */
  #button(key) {
    return this.#host.querySelector(`[data-key="${key}"]`);
  }

  /** Go back to the table. */
  #leave() {
    if (this.#hasCome) {
      history.back();
      return;
    }
    history.replaceState(null, "", addressOf(null));
    this.#close();
  }

  #close() {
    if (this.#host.hidden) return;
    this.#hasCome = false;
    this.#playArea.classList.remove("touring");
    this.#host.hidden = true;
    this.comparison.timeline.leave();
    part("mistakes").focus();
  }
}
