// The banner says what is left to decide, on the module that is served.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** The text of the banner. */
let host;
globalThis.HTMLElement = class {
  textContent = "";
  classList = { toggle: () => {} };
  append() {}
};
globalThis.document = {
  getElementById: () => null,
  createElement: () => new HTMLElement(),
  querySelector: (selector) => (selector.includes("banner") ? host : new HTMLElement()),
};
const { Banner } = await import("../../../src/ludotheque/web/static/table/banner.js");

/** One's own turn in this version of the table. */
function turn(version) {
  return { version, over: false, mine: [0], viewer: 0, to_move: 0, seats: [{}], scene: { asks: "choose an action" } };
}

beforeEach(() => {
  host = new HTMLElement();
});

test("what is left to decide stays while the position is shown again", () => {
  const banner = new Banner();
  banner.show(turn(1));
  banner.showFollowUp(turn(1), "Which company expands?");
  banner.show(turn(1)); // the card of an event has ended, or someone has come
  assert.equal(host.textContent, "Which company expands?");
  banner.showFollowUp(turn(1), "");
  assert.equal(host.textContent, "Your turn: choose an action");
});

test("another position asks the whole question again", () => {
  const banner = new Banner();
  banner.showFollowUp(turn(1), "Which company expands?");
  banner.show(turn(2));
  assert.equal(host.textContent, "Your turn: choose an action");
});
