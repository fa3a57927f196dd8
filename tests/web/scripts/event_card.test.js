// The cards of events, on the module that is served.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { getElementById: () => null, documentElement: {} };
const { isBrief } = await import("../../../src/ludotheque/web/static/table/time/event_card.js");

const sale = { words: "", amount: "−$7" };
const dividend = { words: "PRR 1 × $6", amount: "+$6" };

test("a sale takes a line, and a dividend, a sum or two players a card of their own", () => {
  assert.ok(isBrief({ text: "", rows: [sale] }));
  assert.ok(isBrief({ text: "Its income is 6.", rows: [] }));
  assert.ok(!isBrief({ text: "", rows: [dividend] }));
  assert.ok(!isBrief({ text: "Detroit is full.", rows: [sale] }));
  assert.ok(!isBrief({ text: "", rows: [sale, sale] }));
});
