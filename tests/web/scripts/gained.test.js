// What a player has gained since they last acted, for their card.

import assert from "node:assert/strict";
import test from "node:test";
import { amountsAfter, Gained } from "../../../src/ludotheque/web/static/table/turn/gained.js";

/** A view with these scores, as they are written. */
function view(to_move, ...scores) {
  const rows = scores.map((score) => ["", score]);
  return { to_move, scene: { tables: [{ lists_seats: true, rows }] } };
}

test("gains of the others' turns add up", () => {
  const first = amountsAfter(view(0, "$4", "$4"), view(1, "$4", "$10"), []);
  assert.deepEqual(first, [0, 6]);
  assert.deepEqual(amountsAfter(view(0, "$4", "$10"), view(1, "$4", "$12"), first), [0, 8]);
});

test("whoever acts begins anew, with what the action brought", () => {
  assert.deepEqual(amountsAfter(view(0, "4", "4"), view(1, "9", "4"), [3, 2]), [5, 2]);
  assert.deepEqual(amountsAfter(view(0, "4", "4"), view(1, "4", "4"), [3, 2]), [0, 2]);
});

test("a score that comes into view is no gain", () => {
  assert.deepEqual(amountsAfter(view(0, "", "80"), view(1, "75", ""), []), [0, 0]);
});

test("the chips are gone once the game is over", () => {
  const gained = new Gained();
  gained.follow({ ...view(0, "$4", "$4"), ply: 1, over: false });
  gained.follow({ ...view(1, "$9", "$4"), ply: 2, over: false });
  assert.deepEqual(gained.texts, ["+$5", ""]);
  gained.follow({ ...view(-2, "$9", "$7"), ply: 3, over: true });
  assert.deepEqual(gained.texts, ["", ""]);
});
