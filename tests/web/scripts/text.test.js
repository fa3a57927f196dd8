// Sentences as they are set.

import assert from "node:assert/strict";
import test from "node:test";
import { unbroken } from "../../../src/ludotheque/web/static/lib/text.js";

test("a product and its factors stay on one line", () => {
  assert.equal(unbroken("B&O 2 × $3, NYC 1 × 5 $"), "B&O 2\u00a0×\u00a0$3, NYC 1\u00a0×\u00a05\u00a0$");
});
