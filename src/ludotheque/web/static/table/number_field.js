// @ts-check
// A choice among many numbers in a row, such as bids: the smallest, one more or less, or typed.

import { button, make } from "../lib/dom.js";
import { _ } from "../lib/translate.js";

/** @typedef {import("./choices.js").Step} Step */

/**
 * @param {Step[]} steps
 * @param {number[]} numbers the number of each step, rising by one
 * @param {(step: Step) => void} choose
 */
export function numberField(steps, numbers, choose) {
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  const label = _("A number from {min} to {max}", { min, max });
  const input = make("input", { type: "number", min, max, value: min, inputmode: "numeric", "aria-label": label });
  const chosen = () => steps[numbers.indexOf(Number(input.value))];
  const go = button(
    "",
    () => {
      const step = chosen();
      if (step) choose(step);
      else input.reportValidity();
    },
    { class: "main", "data-play": true, "data-first": true },
  );
  const showChosen = () => {
    go.textContent = chosen()?.label ?? "?";
  };
  const set = (/** @type {number} */ value) => {
    input.value = String(Math.min(max, Math.max(min, value)));
    showChosen();
  };
  input.addEventListener("input", showChosen);
  input.addEventListener("keydown", (event) => event.key === "Enter" && go.click());
  showChosen();
  const less = button("−1", () => set(Number(input.value) - 1));
  const more = button("+1", () => set(Number(input.value) + 1));
  return make(
    "div",
    { class: "choices number" },
    make("span", { class: "stepper" }, less, input, more),
    button(_("Min {number}", { number: min }), () => set(min)),
    make("span", { class: "dim" }, _("Max {number}", { number: max })),
    go,
  );
}
