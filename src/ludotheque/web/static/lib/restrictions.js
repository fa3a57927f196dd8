// @ts-check
// Muting and blocking people. They do not learn of it.

import { post } from "./api.js";
import { ask } from "./dialog.js";
import { closest, make } from "./dom.js";
import { attempt, toast } from "./toast.js";
import { _ } from "./translate.js";

/**
 * Let the buttons of people mute and block them.
 * @param {HTMLElement} host
 */
export function followRestrictions(host) {
  host.addEventListener("click", (event) => {
    const pressed = closest(event, "[data-restrict]");
    if (pressed instanceof HTMLButtonElement) attempt(() => change(pressed));
  });
}

/** @param {HTMLButtonElement} pressed */
async function change(pressed) {
  /** @type {HTMLElement | null} */
  const person = pressed.closest("[data-person]");
  const blocks = pressed.dataset.restrict === "blocked" && !isOn(pressed);
  if (!person || (blocks && !(await isSure()))) return;
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = person.querySelectorAll("[data-restrict]");
  const wanted = [...buttons].map((each) => [each.dataset.restrict, isOn(each) !== (each === pressed)]);
  const restriction = Object.fromEntries(wanted);
  await post(`/api/people/${person.dataset.person}/restriction`, restriction);
  for (const each of buttons) each.setAttribute("aria-pressed", String(restriction[each.dataset.restrict ?? ""]));
  const challenge = person.querySelector("a.main");
  if (challenge instanceof HTMLElement) challenge.hidden = restriction.blocked;
  toast(sentenceOf(pressed));
}

/** @param {HTMLElement} button */
function isOn(button) {
  return button.getAttribute("aria-pressed") === "true";
}

function isSure() {
  const words = _(
    "They can no longer challenge you, you are never paired, and they do not see tables that you open to anyone. They are not told.",
  );
  return ask(_("Block person"), make("p", {}, words));
}

/** @param {HTMLElement} pressed after the change */
function sentenceOf(pressed) {
  if (pressed.dataset.restrict === "muted") {
    return isOn(pressed) ? _("You no longer see what they write.") : _("You can see their messages again.");
  }
  return isOn(pressed) ? _("Blocked. They are not told.") : _("No longer blocked.");
}
