// Times as the reader's clock shows them.

import assert from "node:assert/strict";
import test from "node:test";
import { dateAndTime } from "../../../src/ludotheque/web/static/lib/times.js";

test("no day of a date can be taken for a month, and the clock has 24 hours", () => {
  assert.equal(dateAndTime("2026-11-12T20:17:00", "en"), "12 Nov 2026, 20:17");
  for (const lang of ["fr", "nl"]) assert.match(dateAndTime("2026-11-12T20:17:00", lang), /12 nov.* 20:17$/);
});
