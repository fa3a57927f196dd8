// Sentences as they are set.

import assert from "node:assert/strict";
import test from "node:test";
import { unbroken } from "../../../src/ludotheque/web/static/lib/text.js";

test("a product, its factors and what it is of stay on one line", () => {
  const expected = "B&O_2_×_$3, NYC_1_×_5_$".replaceAll("_", "\u00a0");
  assert.equal(unbroken("B&O 2 × $3, NYC 1 × 5 $"), expected);
});
