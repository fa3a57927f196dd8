// How long a page waits before it connects again.

import assert from "node:assert/strict";
import { test } from "node:test";

const { reconnectDelay } = await import("../../../src/ludotheque/web/static/table/connection.js");

const LOST = 1006;
const RESTARTS = 1012;

/** @param {number} random @param {number} code */
function delayAt(random, code) {
  const before = Math.random;
  Math.random = () => random;
  try {
    return reconnectDelay(1000, code);
  } finally {
    Math.random = before;
  }
}

test("pages that lost their connection together come back one after the other", () => {
  assert.equal(delayAt(0, LOST), 500);
  assert.equal(delayAt(1, LOST), 1500);
});

test("pages of a server that restarts are spread over seconds", () => {
  assert.equal(delayAt(0, RESTARTS), 500);
  assert.equal(delayAt(1, RESTARTS), 5500);
});
