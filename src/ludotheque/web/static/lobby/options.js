// @ts-check
// The fields of a game's options.

import { make } from "../lib/dom.js";

/** @typedef {import("../wire").OptionCard} Option */

/** @param {Option} option */
function optionField(option) {
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
 * The fields of all options that can be asked for in a form.
 * @param {Option[]} options
 * @param {Record<string, unknown>} preset what a variant sets
 */
export function optionFields(options, preset) {
  return options.filter(({ kind, name }) => kind !== "document" && !(name in preset)).map(optionField);
}

/**
 * The options that differ from their defaults, and those of a variant.
 * @param {HTMLFormElement} form
 * @param {Option[]} options
 * @param {Record<string, unknown>} preset
 * @returns {Record<string, unknown>}
 */
export function chosenOptions(form, options, preset) {
  const chosen = options.flatMap((option) => {
    const value = optionValue(form, option);
    return value === undefined || value === option.default ? [] : [[option.name, value]];
  });
  return { ...preset, ...Object.fromEntries(chosen) };
}

/**
 * The values of all options, also of those that a form does not ask for.
 * @param {HTMLFormElement} form
 * @param {Option[]} options
 * @param {Record<string, unknown>} preset
 * @returns {Record<string, unknown>}
 */
export function optionValues(form, options, preset) {
  const values = options.map((option) => [option.name, optionValue(form, option) ?? option.default]);
  return { ...Object.fromEntries(values), ...preset };
}

/**
 * The value chosen for an option; undefined where it has no field.
 * @param {HTMLFormElement} form
 * @param {Option} option
 */
function optionValue(form, option) {
  const element = form.elements.namedItem(`option ${option.name}`);
  if (element instanceof HTMLInputElement) return element.checked;
  if (!(element instanceof HTMLSelectElement)) return undefined;
  return option.kind === "number" ? Number(element.value) : element.value;
}

/**
 * Choose these options in a form; those that it does not ask for are left out.
 * @param {HTMLFormElement} form
 * @param {Record<string, unknown>} options
 */
export function restoreOptions(form, options) {
  for (const [name, value] of Object.entries(options)) {
    const element = form.elements.namedItem(`option ${name}`);
    if (element instanceof HTMLInputElement) element.checked = Boolean(value);
    else if (element instanceof HTMLSelectElement) element.value = String(value);
  }
}
