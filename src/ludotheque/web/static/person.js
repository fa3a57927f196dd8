// @ts-check
// The page of someone else: challenge, mute and block.

import "./preferences.js";
import { part } from "./lib/dom.js";
import { followRestrictions } from "./lib/restrictions.js";

followRestrictions(part("people"));
