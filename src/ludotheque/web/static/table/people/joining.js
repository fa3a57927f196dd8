// @ts-check
// Coming to a table: by a link, by its password, or from among the spectators.

import { post, RequestError } from "../../lib/api.js";
import { ask } from "../../lib/dialog.js";
import { make } from "../../lib/dom.js";
import { _ } from "../../lib/translate.js";
import { keepNonce, newNonce } from "../dice/nonces.js";
import { tableUrl } from "../view.js";
import { askNewcomer } from "./join_dialog.js";

const PASSWORD_LENGTH = 100;
const ASKED = ["password-needed", "wrong-password"];

/**
 * Ask for a name and a colour if the link is to a free seat, and join.
 * @param {string} table
 * @param {string} secret
 * @returns {Promise<boolean>} whether that was done: the newcomer may give up
 */
export async function join(table, secret) {
  /** @type {import("../../wire").Invitation} */
  const { is_settled, free } = await post(`${tableUrl(table)}/invitation`, { secret });
  const newcomer = is_settled ? {} : await askNewcomer(free);
  if (!newcomer) return false;
  const added = await newNonce();
  const body = { secret, ...newcomer, commitment: added?.commitment ?? "" };
  let hasJoined = false;
  await withPassword(async (password) => {
    /** @type {import("../../wire").SeatTaken} */
    const { seat } = await post(`${tableUrl(table)}/join`, { ...body, password });
    hasJoined = true;
    if (added && seat >= 0) keepNonce(table, added);
  }, "");
  return hasJoined;
}

/**
 * Take one of the free seats of a table that one looks at.
 * @param {string} table
 * @param {import("../view.js").Seat[]} free the first is suggested
 */
export async function sit(table, free) {
  const newcomer = await askNewcomer(free.map((seat) => ({ ...seat, name: "" })));
  if (!newcomer) return;
  const added = await newNonce();
  await post(`${tableUrl(table)}/sit`, { ...newcomer, commitment: added?.commitment ?? "" });
  if (added) keepNonce(table, added);
  location.reload();
}

/**
 * Enter a table with a password and an open seat.
 * @param {string} table
 */
export function enter(table) {
  return withPassword((password) => post(`${tableUrl(table)}/enter`, { password }));
}

/**
 * Do something that may need the table's password; ask for it until it is right, or the person gives up.
 * @param {(password: string) => Promise<void>} work
 * @param {string} [first] the password to try before asking
 */
async function withPassword(work, first) {
  let password = first ?? (await askPassword(_("This table has a password.")));
  while (password !== null) {
    try {
      return await work(password);
    } catch (error) {
      if (!(error instanceof RequestError && ASKED.includes(error.error))) throw error;
      password = await askPassword(error.message);
    }
  }
}

/**
 * @param {string} sentence why it is asked
 * @returns {Promise<string | null>} null: the person gave up
 */
async function askPassword(sentence) {
  const input = make("input", {
    type: "password",
    maxlength: PASSWORD_LENGTH,
    required: true,
    autocomplete: "off",
    "aria-label": _("Password"),
  });
  const label = make("label", { class: "line" }, make("span", {}, _("Password")), input);
  return (await ask(_("Password"), make("p", {}, sentence), label)) ? input.value : null;
}
