// The order of a list that changes, on the module that is served.

import assert from "node:assert/strict";
import { test } from "node:test";
import { longestRise } from "../../../src/ludotheque/web/static/lib/order.js";

function permutations(numbers) {
  if (numbers.length < 2) return [numbers];
  return numbers.flatMap((first, place) => permutations(numbers.toSpliced(place, 1)).map((rest) => [first, ...rest]));
}

const isRising = (numbers) => numbers.every((number, place) => place === 0 || number > numbers[place - 1]);

function longestByTrying(numbers) {
  let longest = 0;
  for (let chosen = 0; chosen < 1 << numbers.length; chosen += 1) {
    const some = numbers.filter((_, place) => chosen & (1 << place));
    if (isRising(some)) longest = Math.max(longest, some.length);
  }
  return longest;
}

test("of every order of six numbers it is as long as any, and rises", () => {
  for (const numbers of permutations([0, 1, 2, 3, 4, 5])) {
    const rise = longestRise(numbers).reverse();
    assert.ok(isRising(rise), `${numbers}`);
    assert.ok(isRising(rise.map((number) => numbers.indexOf(number))), `${numbers}`);
    assert.equal(rise.length, longestByTrying(numbers), `${numbers}`);
  }
});

test("a few that come later move, and all between them stay", () => {
  assert.deepEqual(longestRise([0, 3, 4, 5, 6, 1, 2, 7]).reverse(), [0, 3, 4, 5, 6, 7]);
  assert.deepEqual(longestRise([]), []);
});
