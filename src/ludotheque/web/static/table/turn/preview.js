// @ts-check
// The effect of the considered move: drawn on the board, and described above it; or why it cannot be made.

import { get } from "../../lib/api.js";
import { make, part } from "../../lib/dom.js";
import { unbroken } from "../../lib/text.js";
import { _ } from "../../lib/translate.js";
import { gainChips } from "../gain_chips.js";
import { tableUrl } from "../view.js";
import { whyNot } from "./why_not.js";

/** @typedef {import("../../wire").Preview} MovePreview */
/** @typedef {import("../view.js").View} View */

const REST_MS = 60; // a pointer that only passes over a move asks nothing of the server
const MARK = "\0"; // where the words of a move go
const LONG = 150; // letters of more than three lines on a phone

export class Preview {
  #host = part("preview");
  #spoken = part("spoken");
  /** @type {Map<string, Promise<MovePreview | null>>} by actions, at the version of the view */
  #known = new Map();
  /** @type {View | null} */
  #view = null;
  #considered = ""; // the actions
  /** @type {string[] | null} the steps that were refused last */
  #refused = null;

  /** @param {import("../../board/board.js").Board} board */
  constructor(board) {
    this.board = board;
  }

  /** @param {View} view */
  follow(view) {
    if (this.#view?.version !== view.version) this.#known.clear();
    this.#view = view;
  }

  /**
   * Show what an action would do; null shows no more than what the decisions before it earn.
   * @param {number | null} action
   * @param {number[]} [after] the decisions of the same turn before it
   */
  async show(action, after = []) {
    const considered = action === null ? `after ${after}` : [...after, action].join();
    this.#considered = considered;
    this.#refused = null;
    if (action === null) {
      this.board.ghosts.clear("preview");
      this.#host.hidden = true;
      if (this.board.isLegible) await this.#remind(after);
      return;
    }
    if (!this.#known.has(considered)) await new Promise((rested) => setTimeout(rested, REST_MS));
    if (this.#considered !== considered) return;
    const preview = await this.#of(action, after);
    if (this.#considered !== considered) return;
    this.board.ghosts.show("preview", preview ? [preview] : []);
    this.#tell(preview);
  }

  /**
   * Go on saying what the decisions so far earn, on a board where a tap makes a decision without a preview of it.
   * @param {number[]} decided
   */
  async #remind(decided) {
    const [action, considered] = [decided.at(-1), this.#considered];
    if (action === undefined) return;
    const preview = await this.#of(action, decided.slice(0, -1));
    if (this.#considered !== considered || !preview?.gains?.some(Boolean)) return;
    this.#tell({ ...preview, lines: preview.lines.slice(0, 1) }); // of the rest, what can be chosen now says more
  }

  /**
   * Say what a move would do: first what it earns, in the colours of the players.
   * @param {MovePreview | null} preview
   */
  #tell(preview) {
    const words = preview?.lines.join(" ") ?? "";
    const chips = this.#view ? gainChips(this.#view, preview?.gains ?? [], true) : [];
    const [before = "", after = ""] = _("Preview: {what}", { what: MARK }).split(MARK);
    const [text, end] = [unbroken(words), unbroken(after)];
    const hasAny = words !== "" || chips.length > 0;
    this.#say(hasAny ? before + words + after : "");
    if (chips.length === 0) return;
    const gains = make("span", { class: "row gains" }, unbroken(before), ...chips);
    this.#host.replaceChildren(gains, `${text}${end}`);
  }

  /**
   * Say which rule forbids these steps, until something else is considered.
   * @param {string[]} steps
   * @param {number[]} [after] the decisions of the same turn before them
   */
  async refuse(steps, after = []) {
    if (!this.#view) return;
    this.#refused = steps;
    const reason = await whyNot(this.#view, steps, after);
    if (this.#refused !== steps || !reason) return;
    this.#say(reason);
    this.#spoken.append(make("p", {}, reason));
  }

  /** @param {string} text a long one takes the place of the banner too, on a phone */
  #say(text) {
    this.#host.textContent = unbroken(text);
    this.#host.hidden = !text;
    this.#host.classList.toggle("long", text.length > LONG);
  }

  /**
   * The server's account of what an action would do; null where it gives none.
   * @param {number} action
   * @param {number[]} after
   */
  #of(action, after) {
    const key = [...after, action].join();
    const known = this.#known.get(key);
    if (known || !this.#view) return known ?? null;
    const { table, viewer, version } = this.#view;
    const query = new URLSearchParams({ seat: String(viewer), version: String(version), action: String(action) });
    for (const before of after) query.append("after", String(before));
    const asked = get(`${tableUrl(table)}/preview?${query}`).catch(() => null);
    this.#known.set(key, asked);
    return asked;
  }
}
