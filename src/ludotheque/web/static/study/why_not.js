// @ts-check
// The rule that forbids what a learner or a solver tried to pick.

import { toast } from "../lib/toast.js";

/** @typedef {import("../wire").Refusal} Refusal */

/**
 * Say why something cannot be picked; a newer try takes its place.
 * @param {import("../play/prompt.js").Prompt} prompt
 * @param {(picks: string[]) => Promise<Refusal>} ask the server
 */
export function tellWhyNot(prompt, ask) {
  /** @type {string[]} */
  let refused = [];
  prompt.on("refuse", async ({ steps }) => {
    refused = steps;
    const refusal = await ask(steps).catch(() => null);
    if (refusal?.reason && refused === steps) toast(refusal.reason);
  });
}
