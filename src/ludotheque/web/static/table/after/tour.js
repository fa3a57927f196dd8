// @ts-check
// The mistakes of a reviewed game, one at a time: a large board with the move that was played and the better one, and a
// sentence below it.

import { button, make, part, replaceContent } from "../../lib/dom.js";
import { unbroken } from "../../lib/text.js";
import { _ } from "../../lib/translate.js";

/** @typedef {import("../view.js").View} View */

export class Tour {
  #host = part("tour");
  #playArea = part("play-area");
  #place = 0;
  /** @type {HTMLElement[]} the list that the server made, in the order of the game */
  #mistakes = [];
  /** @type {View | null} */
  #view = null;

  /** @param {import("./comparison.js").Comparison} comparison */
  constructor(comparison) {
    this.comparison = comparison;
    this.#host.addEventListener("keydown", (event) => event.key === "Escape" && this.#close());
  }

  /** @param {View} view */
  open(view) {
    this.#view = view;
    this.#mistakes = [...document.querySelectorAll("[data-mistake]")].filter((item) => item instanceof HTMLElement);
    this.#playArea.classList.add("touring");
    this.#host.hidden = false;
    this.#show(0);
    this.#button("next")?.focus();
  }

  /** @param {number} place */
  #show(place) {
    const mistake = this.#mistakes[place];
    if (!mistake || !this.#view) return;
    this.#place = place;
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
          ? button(_("Done"), () => this.#close(), { class: "main", "data-key": "next" })
          : button(_("Next"), () => this.#show(this.#place + 1), { class: "main", "data-key": "next" }),
        isLast ? null : button(_("Close"), () => this.#close(), { class: "quiet", "data-key": "close" }),
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

  #close() {
    this.#playArea.classList.remove("touring");
    this.#host.hidden = true;
    this.comparison.timeline.leave();
    part("mistakes").focus();
  }
}
