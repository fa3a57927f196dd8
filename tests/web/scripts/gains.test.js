// The amounts that travel between the board and the cards of the players.

import assert from "node:assert/strict";
import test from "node:test";
import { asTold, Gains } from "../../../src/ludotheque/web/static/table/turn/gains.js";

const SEATS = [{ name: "Ann" }, { name: "Bob" }];
const card = (...rows) => ({ rows: rows.map(([text, amount]) => ({ mark: { text }, amount })) });

test("a bubble agrees with the card of a round, whatever the score counted before", () => {
  assert.deepEqual(asTold([-1, 12], [card(["Ann", "+3"], ["Bob", "+12"])], SEATS), [3, 12]);
});

test("what no card tells of counts too", () => {
  assert.deepEqual(asTold([30, -2], [card(["Ann", "+$14"]), card(["Ann", "+$9"])], SEATS), [30, -2]);
});

test("a final score is no gain, nor is what is paid", () => {
  assert.deepEqual(asTold([2, -5], [card(["Ann", "97"], ["Bob", "\u2212$5"])], SEATS), [2, -5]);
});

/** The page around gains, with cards of players as wide as that, and what came to travel over it. */
function pageWith({ width }) {
  const [frames, travelling] = [[], []];
  const box = { left: 9, top: 9, width, height: width };
  class HTMLElement {
    getBoundingClientRect = () => box;
    querySelectorAll = () => [{ getBoundingClientRect: () => box }];
    animate = () => ({ finish() {}, finished: new Promise(() => {}) });
    append() {}
    setAttribute() {}
  }
  Object.assign(globalThis, {
    HTMLElement,
    document: {
      hidden: false,
      querySelector: () => new HTMLElement(),
      createElement: () => new HTMLElement(),
      body: { append: (thing) => travelling.push(thing) },
      addEventListener() {},
    },
    matchMedia: () => ({ matches: false }),
    localStorage: { getItem: () => null },
    requestAnimationFrame: (frame) => frames.push(frame),
  });
  return { frames, travelling };
}

/** A view with the score of the only seat. */
const view = (version, score) => ({
  version,
  ply: version,
  viewer: 0,
  cards: [],
  seats: [{ name: "Ann", colour: "blue" }],
  scene: { tables: [{ lists_seats: true, rows: [["Ann", score]] }] },
});
const BOARD = { middlesOf: () => [] };

test("coins and the amount travel to a card, and none to one that is not shown", () => {
  for (const [width, expected] of [
    [50, 5 + 1],
    [0, 0],
  ]) {
    const { frames, travelling } = pageWith({ width });
    const gains = new Gains(BOARD);
    gains.follow(view(1, "$4"), false);
    gains.follow(view(2, "$9"), false);
    for (const frame of frames) frame();
    assert.equal(travelling.length, expected);
  }
});

test("while cards tell of what was gained nothing travels over them, and all of it does afterwards", () => {
  const { frames } = pageWith({ width: 50 });
  const gains = new Gains(BOARD);
  gains.follow(view(1, "$4"), false);
  gains.follow(view(2, "$9"), true);
  assert.equal(frames.length, 0);
  gains.follow(view(2, "$9"), false);
  assert.equal(frames.length, 1);
});
