// @ts-check
// The sheet about the present question, over the board, which steps back; it can be folded to look at the board. A small
// screen begins with it folded to a strip below the board, with what matters most.

import { button, make, part, updateContent } from "../lib/dom.js";
import { isLargeScreen } from "../lib/screen.js";
import { _ } from "../lib/translate.js";
import { cellContent, chip } from "./mark.js";
import { isEnded, scoreTable } from "./scores.js";

/** @typedef {import("../wire").RenderedSheet} RenderedSheet */

export class Sheet {
  #host = part("sheet");
  #isFolded = false;
  /** @type {RenderedSheet | null} */
  #sheet = null;

  /**
   * @param {Pick<import("../wire").TableView, "scene"> & import("./scores.js").Ending} view
   * @param {boolean} [isFolded] whether a new sheet is folded
   */
  show({ scene, ...ending }, isFolded = false) {
    const sheet = isEnded(ending) ? null : (scene.sheet ?? null);
    if (sheet?.title !== this.#sheet?.title) this.#isFolded = isFolded || !isLargeScreen();
    this.#sheet = sheet;
    this.#draw();
  }

  #draw() {
    const sheet = this.#sheet;
    this.#host.hidden = !sheet;
    this.#host.parentElement?.classList.toggle("behind", Boolean(sheet && !this.#isFolded));
    if (!sheet) return;
    this.#host.classList.toggle("folded", this.#isFolded);
    this.#host.setAttribute("aria-label", sheet.title);
    updateContent(this.#host, this.#header(sheet), ...contentOf(sheet));
  }

  /** @param {RenderedSheet} sheet */
  #header({ title, mark }) {
    const label = this.#isFolded ? _("Show more") : _("Show the board");
    const toggle = button(label, () => this.#fold(), {
      class: "quiet small",
      "aria-expanded": String(!this.#isFolded),
    });
    const name = make("span", { class: "dim" }, mark.text);
    return make("header", {}, chip(mark), make("h2", {}, title), name, toggle);
  }

  #fold() {
    this.#isFolded = !this.#isFolded;
    this.#draw();
    this.#host.querySelector("button")?.focus();
  }
}

/** @param {RenderedSheet} sheet */
function contentOf({ facts, table, note }) {
  const pairs = facts.map(([name, value]) =>
    make("div", {}, make("dt", {}, ...cellContent(name)), make("dd", {}, ...cellContent(value))),
  );
  const end = note ? [make("p", { class: "dim" }, note)] : [];
  return [make("dl", { class: "facts" }, ...pairs), scoreTable(table), ...end];
}
