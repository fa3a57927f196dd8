// @ts-check
// Tells a spectator that they watch, and how many more do.

import { make, part, replaceContent } from "../../lib/dom.js";
import { _ } from "../../lib/translate.js";
import { hasSay } from "../view.js";

/** @typedef {import("../view.js").View} View */

export class Watching {
  #note = part("watching");

  /** @param {View} view */
  follow(view) {
    this.#note.hidden = hasSay(view) || view.over || view.closed;
    const sentence =
      view.watchers > 1
        ? _("You are watching; other spectators: {count}.", { count: view.watchers - 1 })
        : _("You are watching.");
    replaceContent(this.#note, ...(this.#note.hidden ? [] : [make("p", {}, sentence)]));
  }
}
