// @ts-check
// The rule that forbids what someone tried to pick.

import { get } from "../../lib/api.js";
import { tableUrl } from "../view.js";

/**
 * The rule in a sentence; "" where the server names none.
 * @param {import("../view.js").View} view
 * @param {string[]} steps that were picked, the last of which cannot be
 * @param {number[]} after the decisions of the same turn before them
 * @returns {Promise<string>}
 */
export async function whyNot({ table, viewer, version }, steps, after) {
  const query = new URLSearchParams({ seat: String(viewer), version: String(version) });
  for (const step of steps) query.append("steps", step);
  for (const action of after) query.append("after", String(action));
  /** @type {import("../../wire").Refusal | null} */
  const refusal = await get(`${tableUrl(table)}/why-not?${query}`).catch(() => null);
  return refusal?.reason ?? "";
}
