// A turn while it is composed: which changes of the table it outlives.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** What the page asked the server. */
const asked = [];
globalThis.fetch = async (url) => {
  asked.push(url);
  const scene = { title: "", width: 1, height: 1, base: null, pieces: [{ id: "card" }], asks: "where" };
  return { ok: true, json: async () => ({ scene, choices: [{ key: "spot" }] }) };
};
const { Draft } = await import("../../../src/ludotheque/web/static/table/turn/draft.js");

const VIEW = {
  table: "t1",
  version: 7,
  ply: 4,
  viewer: 0,
  seats: ["Ann"],
  choices: [{ key: "card" }],
  scene: { title: "", width: 1, height: 1, base: null, pieces: [{ id: "hand" }], tables: [], asks: "which" },
};

beforeEach(() => {
  asked.length = 0;
});

/** A draft with one decision. */
async function begun() {
  const draft = new Draft();
  draft.follow(VIEW);
  assert.equal(await draft.add([3], "A card"), "goes on");
  return draft;
}

test("a turn goes on with the new version when someone asks to undo", async () => {
  const draft = await begun();
  draft.follow({ ...VIEW, version: 8, undo_request: { seat: 1 } });
  assert.deepEqual([draft.actions, draft.labels], [[3], ["A card"]]);
  assert.equal(draft.view.scene.asks, "where");
  assert.deepEqual(draft.view.undo_request, { seat: 1 });
  await draft.add([5], "A spot");
  assert.equal(asked.at(-1), "/api/tables/t1/draft?seat=0&version=8&actions=3&actions=5");
});

test("a decision that is being tried meanwhile is not lost", async () => {
  const draft = new Draft();
  draft.follow(VIEW);
  const turn = draft.add([3], "A card");
  draft.follow({ ...VIEW, version: 8 });
  assert.equal(await turn, "goes on");
  assert.deepEqual(draft.actions, [3]);
});

test("a new player at the table changes the names and nothing else", async () => {
  const draft = await begun();
  draft.follow({ ...VIEW, seats: ["Ann", "Bob"] });
  assert.deepEqual(draft.view.seats, ["Ann", "Bob"]);
  assert.equal(draft.view.scene.asks, "where");
});

test("a turn ends with another position, even at the same ply, and with another viewer", async () => {
  const changes = [{ ply: 5 }, { viewer: 1 }, { choices: [] }, { scene: { ...VIEW.scene, pieces: [] } }];
  for (const change of changes) {
    const draft = await begun();
    draft.follow({ ...VIEW, version: 9, ...change });
    assert.deepEqual(draft.actions, [], JSON.stringify(change));
  }
});

test("decisions are taken back one by one, each to what could be chosen there", async () => {
  const draft = await begun();
  await draft.add([5], "A spot");
  assert.deepEqual(draft.earlierChoices, [[{ key: "card" }], [{ key: "spot" }]]);
  draft.dropFrom();
  assert.deepEqual([draft.actions, draft.view.scene.asks], [[3], "where"]);
  draft.dropFrom(0);
  assert.deepEqual([draft.isBegun, draft.view], [false, VIEW]);
});
