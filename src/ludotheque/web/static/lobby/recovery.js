// @ts-check
// The button that makes a recovery link: all seats, progress and settings move to the browser that opens it.

import { post } from "../lib/api.js";
import { part } from "../lib/dom.js";
import { showLink } from "../lib/link_dialog.js";
import { attempt } from "../lib/toast.js";
import { _ } from "../lib/translate.js";

export function offerRecovery() {
  part("recovery").addEventListener("click", () => attempt(makeLink));
}

async function makeLink() {
  /** @type {import("../wire").RecoveryLink} */
  const link = await post("/api/recovery", { stored: { ...localStorage } });
  showLink(
    link.url,
    _("Open this link in the other browser. It works once, within an hour, and moves everything there."),
  );
}
