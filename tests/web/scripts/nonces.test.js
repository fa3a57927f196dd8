// What a browser adds to the dice, on the module that is served: kept, revealed, and compared after the game.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const store = new Map();
const posted = [];
globalThis.localStorage = {
  getItem: (name) => store.get(name) ?? null,
  setItem: (name, text) => store.set(name, text),
};
/** What the server answers when the page asks for the table, one after the other. */
const views = [];
globalThis.fetch = async (url, { body }) => {
  if (body) posted.push([url, JSON.parse(body)]);
  return { ok: true, json: async () => (body ? {} : views.shift()) };
};
const { addToRematch, areTheSame, commitSeats, kept, keepNonce, newNonce, revealNonces } = await import(
  "../../../src/ludotheque/web/static/table/dice/nonces.js"
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

test("fresh dice that the browser added to are compared too, others are not", async () => {
  const mine = await newNonce();
  await revealNonces("t1", "fresh", [{ seat: 0, commitment: mine.commitment }]);
  const draws = { commitment: "fresh", since: 7, nonces: [{ seat: 0, ...mine }], draws: [] };
  assert.ok(areTheSame(kept("t1"), draws));
  assert.ok(!areTheSame(kept("t1"), { ...draws, nonces: [] }));
  assert.ok(areTheSame(kept("t1"), { ...draws, commitment: "fresher still", nonces: [] }));
});

test("a browser commits for its seats that have no nonce yet, and keeps what it committed to", async () => {
  await commitSeats("t1", [0, 2], [{ seat: 0, commitment: "by my other device" }]);
  assert.equal(posted.length, 1);
  const [url, { seat, commitment }] = posted[0];
  assert.deepEqual([url, seat], ["/api/tables/t1/commitments", 2]);
  assert.ok(kept("t1").nonces[commitment]);
});

test("the page of a finished game commits and reveals for the rematch", async () => {
  const dice = { commitment: "seed", state: "open", nonces: [] };
  views.push({ mine: [1], dice });
  await addToRematch("t2", async () => {
    const nonces = [{ seat: 1, commitment: posted[0][1].commitment }];
    views.push({ mine: [1], dice: { ...dice, state: "reveal", nonces } });
  });
  assert.deepEqual(
    posted.map(([url]) => url),
    ["/api/tables/t2/commitments", "/api/tables/t2/nonces"],
  );
  assert.equal(kept("t2").nonces[posted[0][1].commitment], posted[1][1].nonce);
});

test("nonces of two tables are different, and the latest tables are kept", async () => {
  assert.notEqual((await newNonce()).nonce, (await newNonce()).nonce);
  for (let table = 0; table < 60; table += 1) keepNonce(`t${table}`, { nonce: "n", commitment: "c" });
  assert.equal(Object.keys(JSON.parse(store.get("dice"))).length, 50);
  assert.deepEqual(kept("t59").nonces, { c: "n" });
});
