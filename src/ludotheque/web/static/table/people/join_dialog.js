// @ts-check
// The question to a newcomer: their name, and which of the free colours they want.

import { openDialog } from "../../lib/dialog.js";
import { button, make } from "../../lib/dom.js";
import { rememberedName, rememberName } from "../../lib/my_name.js";
import { _ } from "../../lib/translate.js";

/** @typedef {{seat: number, colour: string, colour_name: string, letter: string, name?: string}} FreeSeat */

const NAME_LENGTH = 40;

/**
 * Ask for a name and a colour.
 * @param {FreeSeat[]} free the seats to choose from; the first is suggested
 * @returns {Promise<{seat: number, name: string} | null>} null: the newcomer only wants to look
 */
export function askNewcomer(free) {
  const name = make("input", {
    name: "name",
    required: true,
    maxlength: NAME_LENGTH,
    autocomplete: "nickname",
    value: rememberedName() || free[0]?.name || "",
  });
  const form = make(
    "form",
    { method: "dialog" },
    make("h2", {}, _("Join the table")),
    make("label", { class: "line" }, make("span", {}, _("Your name")), name),
    make("fieldset", { class: "colours" }, make("legend", {}, _("Your colour")), ...free.map(colourField)),
    make(
      "div",
      { class: "row end" },
      button(_("Cancel"), () => dialog.close(), { class: "quiet" }),
      make("button", { class: "main", value: "join" }, _("Join")),
    ),
  );
  const dialog = openDialog({ "aria-label": _("Join the table") }, form);
  name.select();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      if (dialog.returnValue !== "join") return resolve(null);
      const chosen = Number(new FormData(form).get("seat"));
      rememberName(name.value.trim());
      resolve({ seat: chosen, name: name.value.trim() });
    });
  });
}

/**
 * @param {FreeSeat} seat
 * @param {number} place
 */
function colourField(seat, place) {
  const radio = make("input", { type: "radio", name: "seat", value: seat.seat, checked: place === 0 });
  return make("label", { class: "colour" }, radio, swatch(seat), make("span", {}, seat.colour_name));
}

/**
 * A colour with its letter.
 * @param {{colour: string, letter: string}} seat
 */
function swatch({ colour, letter }) {
  return make("span", { class: `chip colour-${colour}`, "aria-hidden": "true" }, letter);
}
