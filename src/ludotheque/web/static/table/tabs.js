// @ts-check
// The tabs below the board of a small screen: each shows one part of what is beside the board of a large one.
//
// Event: "select" (the name of the tab).

import { closest, part } from "../lib/dom.js";
import { Emitter } from "../lib/emitter.js";
import { isMyTurn } from "./view.js";

/** @typedef {import("./view.js").View} View */

export const TABLE = "table"; // the question, and after the game the result

/** @extends {Emitter<{select: string}>} */
export class Tabs extends Emitter {
  #bar = part("tabs");
  #playArea = part("play-area");
  #isOver = true; // before the first view, so that a finished game changes nothing

  constructor() {
    super();
    this.#bar.addEventListener("click", (event) => {
      const name = closest(event, "[data-tab]")?.dataset.tab;
      if (name) this.select(name);
    });
    this.#playArea.addEventListener("click", (event) => {
      const name = closest(event, "[data-opens]")?.dataset.opens;
      if (name) this.select(name);
    });
  }

  /**
   * Offer the tabs that have a content, and mark that of the table while the player is to move. When the game ends, show
   * its result, except to those who chat.
   * @param {View} view
   */
  follow(view) {
    const hasTables = view.scene.tables.some((table) => !table.lists_seats);
    this.#button("overview").hidden = !hasTables;
    this.#button(TABLE).classList.toggle("calls", isMyTurn(view));
    const hasEnded = view.over && !this.#isOver && this.#playArea.dataset.tab !== "chat";
    this.#isOver = view.over;
    if (hasEnded || (!hasTables && this.#playArea.dataset.tab === "overview")) this.select(TABLE);
  }

  /** @param {string} name */
  select(name) {
    if (this.#playArea.dataset.tab === name) return;
    this.#playArea.dataset.tab = name;
    for (const tab of this.#bar.querySelectorAll("[data-tab]")) tab.removeAttribute("aria-current");
    this.#button(name).setAttribute("aria-current", "true");
    /** @type {NodeListOf<HTMLDetailsElement>} */
    const folds = document.querySelectorAll(`details.whole[data-in="${name}"]`);
    for (const fold of folds) fold.open = true;
    this.emit("select", name);
  }

  /** @param {string} name */
  #button(name) {
    const button = this.#bar.querySelector(`[data-tab="${name}"]`);
    if (!(button instanceof HTMLElement)) throw new Error(`There is no such tab: ${name}`);
    return button;
  }
}
