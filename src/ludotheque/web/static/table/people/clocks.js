// @ts-check
// The clocks: every element marked with `data-clock` shows the time that this seat has left, and counts down.
//
// Event: "up" (the time of the seat to move has run out).

import { make } from "../../lib/dom.js";
import { Emitter } from "../../lib/emitter.js";
import { _ } from "../../lib/translate.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {NonNullable<View["clock"]>} Clock */

/** @extends {Emitter<{up: null}>} */
export class Clocks extends Emitter {
  /** @type {Clock | null} */
  #clock = null;
  #received = 0;
  #wasUp = false;

  constructor() {
    super();
    setInterval(() => this.#tick(), 1000);
  }

  /** @param {Pick<View, "clock">} view */
  follow({ clock }) {
    this.#clock = clock;
    this.#received = performance.now();
    this.#wasUp = false;
    this.#tick();
  }

  /**
   * Seconds that a seat has left; null without a clock.
   * @param {number} seat
   */
  left(seat) {
    if (!this.#clock) return null;
    const passed = seat === this.#clock.running ? (performance.now() - this.#received) / 1000 : 0;
    return Math.max(0, (this.#clock.left[seat] ?? 0) - passed);
  }

  /**
   * The clock of a seat; null without one.
   * @param {number} seat
   */
  element(seat) {
    const left = this.left(seat);
    if (left === null) return null;
    return make("span", { class: left === 0 ? "clock up" : "clock", "data-clock": seat }, timeText(left));
  }

  #tick() {
    if (!this.#clock) return;
    for (const element of document.querySelectorAll("[data-clock]")) {
      const left = this.left(Number(element.getAttribute("data-clock"))) ?? 0;
      element.textContent = timeText(left);
      element.classList.toggle("up", left === 0);
    }
    const isUp = this.#clock.running >= 0 && this.left(this.#clock.running) === 0;
    if (isUp && !this.#wasUp) this.emit("up", null);
    this.#wasUp = isUp;
  }
}

/** @param {number} seconds */
export function timeText(seconds) {
  const whole = Math.ceil(seconds);
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor((whole % 86_400) / 3600);
  if (days > 0) return _("{days} d {hours} h", { days, hours });
  const rest = `${String(Math.floor((whole % 3600) / 60)).padStart(hours > 0 ? 2 : 1, "0")}:${String(whole % 60).padStart(2, "0")}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
