// @ts-check
// Today's puzzles: the days in a row on which one was solved.

import { part } from "./lib/dom.js";
import { _ } from "./lib/translate.js";
import { streak } from "./study/streak.js";

const host = part("streak");
const days = streak(host.dataset.day ?? "");
if (days > 0) host.textContent = _("Days in a row: {days}", { days });
