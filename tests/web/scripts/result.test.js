// The result of a game from the side of the reader, on the module that is served.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = { getElementById: () => null, documentElement: {} };
const { headline, rankOf, reasonText, winnersText } = await import(
  "../../../src/ludotheque/web/static/table/after/result.js"
);

const NAMES = ["Ann", "Bob", "Cleo"];

/** A finished game, seen by those who had these seats. */
function ended(mine, scores, winners = [scores.indexOf(Math.max(...scores))]) {
  const returns = scores.map((_, seat) => (winners.includes(seat) ? 1 : -1));
  return { mine, seats: scores.map((_, seat) => ({ seat, name: NAMES[seat] })), result: { scores, returns } };
}

test("the winner reads so", () => {
  assert.equal(headline(ended([1], [3, 9, 4])), "You win");
});

test("a winner does not read it twice, and several winners are listed", () => {
  assert.equal(reasonText(ended([1], [3, 9, 4])), "You win");
  assert.equal(reasonText(ended([0], [9, 9, 4], [0, 1])), "You and Bob share the win");
  assert.equal(reasonText(ended([2], [9, 9, 4], [0, 1])), "Ann and Bob share the win");
});

test("the others read their place, and who won", () => {
  assert.equal(headline(ended([2], [3, 9, 4])), "Second");
  assert.equal(headline(ended([0], [3, 9, 4])), "Third");
  assert.equal(winnersText(ended([0], [3, 9, 4])), "Bob wins");
});

test("a tie that was lost is a second place", () => {
  assert.equal(headline(ended([0], [9, 9, 4], [1])), "Second");
});

test("a shared win names the others", () => {
  assert.equal(headline(ended([0], [9, 9, 4], [0, 1])), "You and Bob share the win");
  assert.equal(headline(ended([2], [9, 9, 4], [0, 1])), "Third");
  assert.equal(headline(ended([0], [9, 9], [0, 1])), "A draw");
});

test("one who lost on time reads so, and the other why", () => {
  const view = (mine) => {
    const game = ended(mine, [9, 3], [1]);
    const seats = game.seats.map((seat) => ({ ...seat, who: "person", resigned: seat.seat === 0 ? 12 : null }));
    return { ...game, seats: seats.map((seat) => ({ ...seat, timed_out: seat.seat === 0 })) };
  };
  assert.equal(headline(view([0])), "You lost on time");
  assert.equal(reasonText(view([1])), "Ann lost on time");
});

test("who had no seat or several reads who won", () => {
  for (const mine of [[], [0, 1]]) assert.equal(headline(ended(mine, [3, 9, 4])), "Bob wins");
});

test("those who share a place have the same number", () => {
  const ranks = (...given) => given[0].map((_, seat) => rankOf(ended([], ...given).result, seat));
  assert.deepEqual(ranks([5, 5], [0, 1]), [1, 1]);
  assert.deepEqual(ranks([9, 9, 4], [0, 1]), [1, 1, 3]);
  assert.deepEqual(ranks([9, 9, 4], [1]), [2, 1, 3], "a tie that was broken");
});
