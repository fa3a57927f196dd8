// The text of a clock.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.setInterval = /** @type {any} */ (() => 0);
const { timeText } = await import("../../../src/ludotheque/web/static/table/people/clocks.js");

test("a clock shows seconds, minutes, hours or days", () => {
  assert.equal(timeText(0), "0:00");
  assert.equal(timeText(59.2), "1:00");
  assert.equal(timeText(272), "4:32");
  assert.equal(timeText(3600 + 65), "1:01:05");
  assert.equal(timeText(2 * 86_400 + 3 * 3600), "2 d 3 h");
});
