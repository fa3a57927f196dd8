// @ts-check
// Coming to a table: by a link, by its password, or from among the spectators.

import { post, RequestError } from "../../lib/api.js";
import { ask } from "../../lib/dialog.js";
import { make } from "../../lib/dom.js";
import { toast } from "../../lib/toast.js";
import { _ } from "../../lib/translate.js";
import { keepNonce, newNonce } from "../dice/nonces.js";
import { tableUrl } from "../view.js";
import { askNewcomer, askToWatch } from "./join_dialog.js";

/** @typedef {"joined" | "declined" | ""} Coming what became of a link; empty: it has not been used, or only to watch */

const PASSWORD_LENGTH = 100;
const ASKED = ["password-needed", "wrong-password"];

/**
 * Answer an invitation if the link is to a free seat; otherwise use the link at once.
 * @param {string} table
 * @param {string} secret
 * @returns {Promise<Coming>}
 */
export async function join(table, secret) {
  /** @type {import("../../wire").Invitation} */
  const { is_settled, free, ...offer } = await post(`${tableUrl(table)}/invitation`, { secret });
  if (is_settled) return await take(table, { secret });
  const isFull = free.length === 0; // the link is for several friends, and all have come
  const { answer, ...newcomer } = isFull
    ? await askToWatch(offer)
    : await askNewcomer(free, offer, offer.rated ?? false);
  if (answer === "join") return await takeOrAskAgain(table, { secret, ...newcomer });
  if (answer === "watch")
    await withPassword((password) => post(`${tableUrl(table)}/join`, watching(secret, password)), "");
  return answer === "decline" ? await decline(table, secret) : "";
}

/**
 * Take a seat; if someone was quicker, say so and ask what the link still opens.
 * @param {string} table
 * @param {{secret: string, name?: string, seat?: number}} wanted
 * @returns {Promise<Coming>}
 */
async function takeOrAskAgain(table, wanted) {
  try {
    return await take(table, wanted);
  } catch (error) {
    if (!(error instanceof RequestError && error.error === "seat-taken")) throw error;
    toast(error.message);
    return await join(table, wanted.secret);
  }
}

/**
 * @param {string} secret
 * @param {string} password
 */
function watching(secret, password) {
  return { secret, password, watch: true };
}

/**
 * Take the seat of a link, or watch by one.
 * @param {string} table
 * @param {{secret: string, name?: string, seat?: number}} wanted
 * @returns {Promise<Coming>}
 */
async function take(table, wanted) {
  const added = await newNonce();
  const body = { ...wanted, commitment: added?.commitment ?? "" };
  let hasJoined = false;
  await withPassword(async (password) => {
    /** @type {import("../../wire").SeatTaken} */
    const { seat } = await withProfile(wanted, () => post(`${tableUrl(table)}/join`, { ...body, password }));
    hasJoined = true;
    if (wanted.seat !== undefined && seat !== wanted.seat) toast(_("Someone was quicker: you have another colour."));
    if (added && seat >= 0) keepNonce(table, added);
  }, "");
  return hasJoined ? "joined" : "";
}

/**
 * @param {string} table
 * @param {string} secret
 * @returns {Promise<Coming>}
 */
async function decline(table, secret) {
  await post(`${tableUrl(table)}/decline`, { secret });
  return "declined";
}

/**
 * Take one of the free seats of a table that one looks at.
 * @param {string} table
 * @param {import("../view.js").Seat[]} free the first is suggested
 * @param {boolean} isRated
 */
export async function sit(table, free, isRated) {
  const { answer, ...newcomer } = await askNewcomer(
    free.map((seat) => ({ ...seat, name: "" })),
    null,
    isRated,
  );
  if (answer !== "join") return;
  const added = await newNonce();
  const body = { ...newcomer, commitment: added?.commitment ?? "" };
  await withProfile(newcomer, () => post(`${tableUrl(table)}/sit`, body));
  if (added) keepNonce(table, added);
  location.reload();
}

/**
 * Do something that may need a profile; make one, as the dialog said, if there is none.
 * @template Result
 * @param {{name?: string}} newcomer
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
async function withProfile({ name }, work) {
  try {
    return await work();
  } catch (error) {
    if (!name || !(error instanceof RequestError && error.error === "no-profile")) throw error;
    await post("/api/profile", { name });
    return await work();
  }
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
