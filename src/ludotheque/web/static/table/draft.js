// @ts-check
// A turn of several decisions while it is composed: each is tried at the server and none is played before the last.

import { patchScene } from "../board/scene.js";
import { get } from "../lib/api.js";
import { tableUrl } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../wire").Draft} Answer */
/** @typedef {{action: number, label: string, view: View}} Part what was decided, and the view in which it was */

export class Draft {
  /** @type {Part[]} */
  #parts = [];
  /** @type {View | null} the present, or what the decisions so far would make of it */
  #view = null;

  /** @param {View} view */
  follow(view) {
    if (this.#view?.version === view.version && this.#view.viewer === view.viewer && this.isBegun) return;
    this.#parts = [];
    this.#view = view;
  }

  get isBegun() {
    return this.#parts.length > 0;
  }

  /** What the player sees: the view with the decisions so far. */
  get view() {
    return this.#view;
  }

  get actions() {
    return this.#parts.map(({ action }) => action);
  }

  get labels() {
    return this.#parts.map(({ label }) => label);
  }

  /** By decision: what could have been chosen instead. */
  get earlierChoices() {
    return this.#parts.map(({ view }) => view.choices);
  }

  /**
   * Decide one thing more.
   * @param {number} action
   * @param {string} label
   * @returns {Promise<"goes on" | "is over" | "is stale">} the turn; only if it goes on the decision is added
   */
  async add(action, label) {
    const view = this.#view;
    if (!view) return "is stale";
    const query = new URLSearchParams({ seat: String(view.viewer), version: String(view.version) });
    for (const each of [...this.actions, action]) query.append("actions", String(each));
    /** @type {Answer} */
    const { scene, choices } = await get(`${tableUrl(view.table)}/draft?${query}`);
    if (this.#view !== view) return "is stale";
    if (!scene) return "is over";
    const present = this.#parts[0]?.view ?? view;
    this.#parts.push({ action, label, view });
    this.#view = { ...view, choices: choices ?? [], scene: patchScene(present.scene, scene) };
    return "goes on";
  }

  /**
   * Take the decisions back from this one on.
   * @param {number} [place] without it: the last one
   */
  dropFrom(place = this.#parts.length - 1) {
    const part = this.#parts[place];
    if (!part) return;
    this.#parts = this.#parts.slice(0, place);
    this.#view = part.view;
  }
}
