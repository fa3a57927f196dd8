// @ts-check
// A choice among numbers in a row, such as bids: a few more, one less, the smallest, or typed; one press chooses the number
// that is shown.

import { button, make } from "../lib/dom.js";
import { _ } from "../lib/translate.js";

/** @typedef {import("./choices.js").Step} Step */

const MORE = [1, 2, 5];

/**
 * @param {string} label of the whole, if it has one
 * @param {Step[]} steps
 * @param {number[]} numbers the number of each step, rising by one
 * @param {(step: Step) => HTMLButtonElement} buttonFor makes the button that chooses a step
 * @param {number} [value] to begin with; without it, the smallest
 */
export function numberField(label, steps, numbers, buttonFor, value = Math.min(...numbers)) {
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  const range = _("A number from {min} to {max}", { min, max });
  const input = make("input", { type: "number", min, max, value, inputmode: "numeric", "aria-label": range });
  const chooser = make("span", { class: "chooser" });
  const less = button("−1", () => set(Number(input.value) - 1));
  const more = MORE.map((by) =>
    button(`+${by}`, () => set(Number(input.value) + by), { class: by > 1 ? "chip-more" : null }),
  );
  const lowest = button(_("Min {number}", { number: min }), () => set(min));
  const show = () => {
    const value = Number(input.value);
    const step = steps[numbers.indexOf(value)];
    chooser.replaceChildren(step ? buttonFor(step) : button("?", () => input.reportValidity(), { class: "main" }));
    lowest.disabled = value === min;
    less.disabled = value <= min;
    for (const add of more) add.disabled = value >= max;
  };
  const set = (/** @type {number} */ value) => {
    input.value = String(Math.min(max, Math.max(min, value)));
    show();
  };
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => event.key === "Enter" && chooser.querySelector("button")?.click());
  show();
  return make(
    "div",
    { class: "number", role: "group", "aria-label": label || range },
    make("span", { class: "stepper" }, less, input, ...more),
    chooser,
    make("span", { class: "range dim" }, lowest, _("Max {number}", { number: max })),
  );
}
