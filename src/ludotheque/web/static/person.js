// @ts-check
// The page of someone else: challenge, mute, block, and report their name.

import "./preferences.js";
import { closest, part } from "./lib/dom.js";
import { reportName } from "./lib/report.js";
import { followRestrictions } from "./lib/restrictions.js";
import { attempt } from "./lib/toast.js";

const host = part("people");
followRestrictions(host);
host.addEventListener("click", (event) => {
  const { report, name = "" } = closest(event, "[data-report]")?.dataset ?? {};
  if (report) attempt(() => reportName(`/api/people/${report}`, [name]));
});
