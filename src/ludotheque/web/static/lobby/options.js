// @ts-check
// The fields of a game's options.

import { make } from "../lib/dom.js";

/** @typedef {import("../wire").OptionCard} Option */

/** @param {Option} option */
export function optionField(option) {
  const name = `option ${option.name}`;
  if (option.kind === "flag") {
    const box = make("input", { type: "checkbox", name, checked: option.default });
    return make("label", { class: "check" }, box, ` ${option.help}`);
  }
  const choices = option.choices.map((choice, place) =>
    make("option", { value: choice, selected: choice === option.default }, option.sentences[place]),
  );
  return make("label", { class: "line" }, make("span", {}, option.help), make("select", { name }, ...choices));
}

/**
 * What was chosen for an option; undefined where it has no field.
 * @param {HTMLFormElement} form
 * @param {Option} option
 */
export function optionValue(form, option) {
  const element = form.elements.namedItem(`option ${option.name}`);
  if (element instanceof HTMLInputElement) return element.checked;
  if (!(element instanceof HTMLSelectElement)) return undefined;
  return option.kind === "number" ? Number(element.value) : element.value;
}
