// The check of the dice, on the module that is served. tests/table/test_dice.py has the same numbers.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  commitmentOf,
  fromHexadecimal,
  toHexadecimal,
} from "../../../src/ludotheque/web/static/table/dice/commitment.js";
import {
  checkDice,
  importKey,
  mix,
  numberBelow,
  outcomeAt,
} from "../../../src/ludotheque/web/static/table/dice/dice.js";

const SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
const HALF = 2n ** 63n + 1n; // nearly half of all numbers are thrown away
const KEY = "bd482318f2854dd9aa79c986ade3890ccc01e689dd8f432cd73aa5246d014d8b";
const FIRST_DRAWS = new Map([
  [6n, [3n, 4n, 4n, 1n, 1n, 1n, 5n, 2n]],
  [1000n, [787n, 742n, 492n, 437n, 669n, 605n, 223n, 680n]],
  [
    HALF,
    [
      5393743368135992787n,
      1142687592923376742n,
      1293525991731219449n,
      5618057270515985437n,
      4498945107884302669n,
      286778637573161076n,
      7442859427617244223n,
      1537902626713974568n,
    ],
  ],
]);
const FACES = ["one", "two", "three", "four", "five", "six"].map((name) => [1, name]);
const draw = (ply, drawn) => ({ ply, drawn, outcomes: FACES });
const game = (draws, change = {}) => ({ commitment: COMMITMENT, seed: SEED, since: 0, draws, ...change });

test("the first draws of a seed are those of the server", async () => {
  const key = await importKey(fromHexadecimal(SEED));
  for (const [below, numbers] of FIRST_DRAWS) {
    for (const [place, number] of numbers.entries()) assert.equal(await numberBelow(below, key, place + 1), number);
  }
});

test("a number falls on the outcome as wide as its weight", () => {
  const outcomes = [
    [2, "a"],
    [1, "b"],
    [3, "c"],
  ];
  assert.deepEqual(
    [0n, 1n, 2n, 3n, 5n].map((number) => outcomeAt(number, outcomes)),
    [0, 0, 1, 2, 2],
  );
});

test("draws that follow from the seed are counted", async () => {
  const draws = [draw(1, 3), draw(2, 4), draw(3, 4)];
  assert.deepEqual(await checkDice(game(draws)), { checked: 3, others: 0, committed: true, wrong: null });
});

test("the first wrong draw is named", async () => {
  const { checked, wrong } = await checkDice(game([draw(1, 3), draw(2, 0), draw(3, 0)]));
  assert.equal(checked, 1);
  assert.deepEqual(wrong, { ply: 2, drawn: "one", due: "five" });
});

test("draws made before this table are left out", async () => {
  const { checked, others } = await checkDice(game([draw(1, 0), draw(2, 4)], { since: 1 }));
  assert.deepEqual([checked, others], [1, 1]);
});

test("another seed than the one committed to is noticed", async () => {
  assert.equal((await checkDice(game([], { commitment: "00" }))).committed, false);
});

const NONCE = "07".repeat(32);
const LAST_NONCE = "09".repeat(32);

/** Two nonces, and a seat that was left out. */
async function added() {
  return [
    { seat: 0, commitment: await commitmentOf(NONCE), nonce: NONCE },
    { seat: 1, commitment: await commitmentOf("08".repeat(32)) },
    { seat: 2, commitment: await commitmentOf(LAST_NONCE), nonce: LAST_NONCE },
  ];
}

test("the key mixes the seed with the nonces as the server does", async () => {
  const key = await mix(fromHexadecimal(SEED), await added());
  assert.equal(toHexadecimal(key.buffer), KEY);
});

test("draws follow from the nonces too", async () => {
  const nonces = await added();
  const key = await importKey(await mix(fromHexadecimal(SEED), nonces));
  const due = Number(await numberBelow(6n, key, 1));
  const { checked, committed } = await checkDice(game([draw(1, due)], { nonces }));
  assert.deepEqual([checked, committed], [1, true]);
});

test("another nonce than the one committed to is noticed", async () => {
  const [first] = await added();
  const nonces = [{ ...first, nonce: LAST_NONCE }];
  assert.equal((await checkDice(game([], { nonces }))).committed, false);
});

test("hexadecimal text is read and written", () => {
  assert.equal(toHexadecimal(fromHexadecimal("00ff10").buffer), "00ff10");
});
