// What a browser adds to the dice, on the module that is served: kept, revealed, and compared after the game.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const store = new Map();
const posted = [];
globalThis.localStorage = {
  getItem: (name) => store.get(name) ?? null,
  setItem: (name, text) => store.set(name, text),
};
globalThis.fetch = async (url, { body }) => {
  posted.push([url, JSON.parse(body)]);
  return { ok: true, json: async () => ({}) };
};
const { areTheSame, kept, keepNonce, newNonce, revealNonces } = await import(
  "../../../src/ludotheque/web/static/table/nonces.js"
);

beforeEach(() => {
  store.clear();
  posted.length = 0;
});

test("a browser reveals its own nonces only, each for the seat that committed to it", async () => {
  const mine = await newNonce();
  keepNonce("t1", mine);
  const all = [
    { seat: 0, commitment: "another browser's" },
    { seat: 1, commitment: mine.commitment },
  ];
  await revealNonces("t1", "the server's", all);
  assert.deepEqual(posted, [["/api/tables/t1/nonces", { seat: 1, nonce: mine.nonce }]]);
});

test("dice with other commitments than when the browser revealed are not the same", async () => {
  const mine = await newNonce();
  keepNonce("t1", mine);
  await revealNonces("t1", "seed", [{ seat: 0, commitment: mine.commitment }]);
  const draws = { commitment: "seed", since: 0, nonces: [{ seat: 0, ...mine }], draws: [] };
  assert.ok(areTheSame(kept("t1"), draws));
  assert.ok(!areTheSame(kept("t1"), { ...draws, commitment: "chosen later" }));
  assert.ok(!areTheSame(kept("t1"), { ...draws, nonces: [...draws.nonces, { seat: 1, commitment: "late" }] }));
  assert.ok(!areTheSame(kept("t1"), { ...draws, nonces: [] }));
  assert.ok(areTheSame(kept("t2"), { ...draws, nonces: [] }), "it added nothing there");
});

test("nonces of two tables are different, and the latest tables are kept", async () => {
  assert.notEqual((await newNonce()).nonce, (await newNonce()).nonce);
  for (let table = 0; table < 60; table += 1) keepNonce(`t${table}`, { nonce: "n", commitment: "c" });
  assert.equal(Object.keys(JSON.parse(store.get("dice"))).length, 50);
  assert.deepEqual(kept("t59").nonces, { c: "n" });
});
