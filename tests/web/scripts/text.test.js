// Sentences as they are set.

import assert from "node:assert/strict";
import test from "node:test";
import { capitalized, commonBeginning, unbroken } from "../../../src/ludotheque/web/static/lib/text.js";

test("a product, its factors and what it is of stay on one line", () => {
  const expected = "B&O_2_×_$3, NYC_1_×_5_$".replaceAll("_", "\u00a0");
  assert.equal(unbroken("B&O 2 × $3, NYC 1 × 5 $"), expected);
});

test("texts that differ by their last word alone have a beginning in common", () => {
  assert.equal(commonBeginning(["piece of length 2", "piece of length 24"]), "piece of length ");
  assert.equal(commonBeginning(["for the open one", "for the hidden one"]), "");
  assert.equal(commonBeginning(["open", "opening"]), "");
  assert.equal(commonBeginning(["one alone"]), "");
});

test("words at the beginning have a capital", () => {
  assert.equal(capitalized("élan vital"), "Élan vital");
  assert.equal(capitalized(""), "");
});
