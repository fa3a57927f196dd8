// @ts-check
// Keys for the whole page: each presses a button that is on it. "?" lists them.

import { openDialog } from "../lib/dialog.js";
import { make } from "../lib/dom.js";
import { _ } from "../lib/translate.js";

/** The buttons that each key presses; the first one that can be pressed counts. */
const BUTTONS = {
  ArrowLeft: ["[data-part=time-back]"],
  ArrowRight: ["[data-part=time-on]"],
  End: ["[data-part=time-now]"],
  u: ["[data-part=undo]"],
  h: ["[data-part=hint]"],
  a: ["[data-part=overlay]"],
  t: ["[data-part=tilt]"],
  n: ["[data-part=next-table]"],
  Enter: ["[data-part=question] [data-play]"],
  Escape: ["[data-part=question] [data-back]", "[data-part=time-now]"],
};
const SCROLLING = ["ArrowLeft", "ArrowRight"];
const SCROLLS = ["auto", "scroll"];
const TYPING = "input, textarea, select, [contenteditable]";
const PRESSABLE = "button, a, summary, [role=button], [tabindex='0']";

export class Keys {
  constructor() {
    document.addEventListener("keydown", (event) => this.#press(event));
    document.querySelector("[data-part=keys]")?.addEventListener("click", showKeys);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
    if (event.key === "?") {
      event.preventDefault();
      showKeys();
      return;
    }
    const button = buttonFor(event.key);
    if (!button) return;
    event.preventDefault();
    button.click();
  }
}

/**
 * Whether the key belongs to a field, a dialog or, if it presses or scrolls things, to what has the focus.
 * @param {KeyboardEvent} event
 */
function isTaken(event) {
  if (document.querySelector("dialog[open]")) return true;
  const { key, target } = event;
  if (!(target instanceof Element)) return false;
  const [focused] = event.composedPath(); // in the shadow tree of the board it is not the target
  if (SCROLLING.includes(key) && focused instanceof Element && isScrollable(focused)) return true;
  return target.matches(TYPING) || (key === "Enter" && target.matches(PRESSABLE));
}

/**
 * Whether arrow keys scroll an element to the side.
 * @param {Element} element
 */
function isScrollable(element) {
  return SCROLLS.includes(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth;
}

/** @param {string} key */
export function selectorsFor(key) {
  const name = key.length === 1 ? key.toLowerCase() : key;
  return name in BUTTONS ? BUTTONS[/** @type {keyof typeof BUTTONS} */ (name)] : [];
}

/** @param {string} key */
function buttonFor(key) {
  for (const selector of selectorsFor(key)) {
    const button = document.querySelector(selector);
    if (button instanceof HTMLButtonElement && !button.disabled && button.checkVisibility()) return button;
  }
  return null;
}

export function showKeys() {
  const keys = [
    ["← →", _("Previous and next move")],
    ["End", _("Back to live")],
    ["+ − 0", _("Zoom in, zoom out, whole board")],
    ["T", _("Tilted view")],
    ["R", _("Turn the piece")],
    ["U", _("Undo")],
    ["H", _("Hint")],
    ["N", _("Next table waiting for you")],
    ["Enter", _("Confirm the move")],
    ["Esc", _("One step back")],
    ["?", _("This list")],
  ];
  const overlay = document.querySelector("[data-part=overlay]")?.getAttribute("aria-label");
  if (overlay) keys.splice(-3, 0, ["A", overlay]);
  const rows = keys.flatMap(([key = "", words = ""]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, words)]);
  openDialog(
    { "aria-label": _("Keys") },
    make("h2", {}, _("Keys")),
    make("dl", { class: "keys" }, ...rows),
    make("form", { method: "dialog", class: "row end" }, make("button", { class: "main" }, _("Close"))),
  );
}
