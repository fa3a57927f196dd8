// @ts-check
// A turn of several decisions while it is composed: each is tried at the server and none is played before the last.

import { patchScene } from "../../board/scene.js";
import { get } from "../../lib/api.js";
import { tableUrl } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../../wire").Draft} Answer */
/** @typedef {Pick<View, "choices" | "scene">} Asked what can be decided next, and the position it is decided in */
/** @typedef {Asked & {actions: number[], label: string}} Part what was decided, and what is asked after it */

export class Draft {
  /** @type {Part[]} */
  #parts = [];
  /** @type {View | null} */
  #present = null;

  /**
   * Take over a new view of the table; the decisions stay as long as the position is the same.
   * @param {View} view
   */
  follow(view) {
    if (!this.#present || !isSamePosition(this.#present, view)) this.#parts = [];
    this.#present = view;
  }

  get isBegun() {
    return this.#parts.length > 0;
  }

  /** The view of the player: the present, or what the decisions so far would make of it. */
  get view() {
    const last = this.#parts.at(-1);
    return this.#present && last ? { ...this.#present, choices: last.choices, scene: last.scene } : this.#present;
  }

  get actions() {
    return this.#parts.flatMap(({ actions }) => actions);
  }

  get labels() {
    return this.#parts.map(({ label }) => label);
  }

  /** The alternatives to each decision. */
  get earlierChoices() {
    const asked = [this.#present, ...this.#parts].map((one) => one?.choices ?? []);
    return asked.slice(0, this.#parts.length);
  }

  /**
   * Decide one thing more.
   * @param {number[]} actions
   * @param {string} label
   * @returns {Promise<"goes on" | "is over" | "is stale">} the turn; only if it goes on the decision is added
   */
  async add(actions, label) {
    const [present, parts] = [this.#present, this.#parts];
    if (!present) return "is stale";
    const query = new URLSearchParams({ seat: String(present.viewer), version: String(present.version) });
    for (const each of [...this.actions, ...actions]) query.append("actions", String(each));
    /** @type {Answer} */
    const { scene, choices } = await get(`${tableUrl(present.table)}/draft?${query}`);
    if (this.#parts !== parts) return "is stale";
    if (!scene) return "is over";
    this.#parts = [...parts, { actions, label, choices: choices ?? [], scene: patchScene(present.scene, scene) }];
    return "goes on";
  }

  /**
   * Take the decisions back from this one on.
   * @param {number} [place] without it: the last one
   */
  dropFrom(place = this.#parts.length - 1) {
    if (this.#parts[place]) this.#parts = this.#parts.slice(0, place);
  }
}

/**
 * Whether a player sees the same position in two views and can do the same, whatever else has changed at the table. The
 * ply is not enough: while the connection was lost, a move may have been undone and another one played.
 * @param {View} one
 * @param {View} other
 */
function isSamePosition(one, other) {
  if (one.ply !== other.ply || one.viewer !== other.viewer) return false;
  return asText(one) === asText(other);
}

/** @param {View} view */
function asText({ choices, scene }) {
  return JSON.stringify([choices, scene.pieces]);
}
