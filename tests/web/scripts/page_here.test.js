// Where a page goes on to: never to another site, whatever its address says.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pageHere } from "../../../src/ludotheque/web/static/lib/page_here.js";

const HERE = "https://games.example";

test("a page of this site is followed", () => {
  assert.equal(pageHere("/pair", HERE), `${HERE}/pair`);
  assert.equal(pageHere("/tournaments/abc?a=1#secret", HERE), `${HERE}/tournaments/abc?a=1#secret`);
});

test("without an address there is none", () => {
  for (const none of [null, "", "https://"]) assert.equal(pageHere(none, HERE), null);
});

test("no other site is followed, however it is written", () => {
  for (const other of [
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "\\\\evil.example",
    "http://games.example/",
    "https://games.example.evil.example/",
    "javascript:alert(1)",
    "data:text/html,x",
  ])
    assert.equal(pageHere(other, HERE), null, other);
});
