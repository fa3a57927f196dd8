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

test("while cards tell of what was gained nothing travels over them, and all of it does afterwards", () => {
  const frames = [];
  Object.assign(globalThis, {
    document: { hidden: false },
    matchMedia: () => ({ matches: false }),
    localStorage: { getItem: () => null },
    requestAnimationFrame: (frame) => frames.push(frame),
  });
  const view = (version, score) => ({
    version,
    ply: version,
    viewer: 0,
    cards: [],
    seats: SEATS,
    scene: { tables: [{ lists_seats: true, rows: [["Ann", score]] }] },
  });
  const gains = new Gains({});
  gains.follow(view(1, "$4"), false);
  gains.follow(view(2, "$9"), true);
  assert.equal(frames.length, 0);
  gains.follow(view(2, "$9"), false);
  assert.equal(frames.length, 1);
});
