// The tables that wait for a person, and what calls them: on the modules that are served.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** What the server answers, and the sentences that the page showed. */
const server = { mine: [], asked: 0 };
const told = [];
const timers = [];
class Part {
  children = [];
  append(...added) {
    for (const each of added) {
      if (typeof each === "string") told.push(each);
    }
  }
  setAttribute() {}
  remove() {}
}
globalThis.HTMLElement = Part;
globalThis.localStorage = { getItem: () => "off" };
globalThis.document = {
  hidden: false,
  documentElement: { lang: "en" },
  addEventListener() {},
  createElement: () => new Part(),
  getElementById: () => null,
  querySelector: () => new Part(),
  querySelectorAll: () => [],
};
globalThis.fetch = async () => {
  server.asked += 1;
  return { ok: true, status: 200, headers: new Headers(), json: async () => server.mine, text: async () => "" };
};
globalThis.setInterval = (_, milliseconds) => timers.push(milliseconds);
globalThis.clearInterval = (timer) => timers.splice(timer - 1, 1, 0);
globalThis.setTimeout = () => 0;

const { WaitingTables } = await import("../../../src/ludotheque/web/static/lib/waiting_tables.js");

const ROUND = { id: "two", url: "/t/two", title: "Passerelles", my_turn: false, over: false, closed: false };
const AWAITED = { ...ROUND, awaited: true, tournament: { id: "cup", title: "Club cup", round: 2 } };

beforeEach(() => {
  server.mine = [];
  for (const list of [told, timers]) list.length = 0;
});

async function following() {
  const tables = new WaitingTables("one");
  const shown = [];
  tables.on("change", (waiting) => shown.push(waiting.map(({ id }) => id)));
  await tables.refresh();
  return { tables, shown };
}

test("a table whose clock waits for this person waits for them, also where another one moves first", async () => {
  const { tables, shown } = await following();
  server.mine = [ROUND, AWAITED];
  await tables.refresh();
  assert.deepEqual(shown, [[], ["two"]]);
  assert.deepEqual(told, ["Club cup: round 2 has begun"]);
  await tables.refresh();
  assert.equal(told.length, 1, "it is told once");
});

test("what waited when the page was opened is shown and not told", async () => {
  server.mine = [AWAITED];
  assert.deepEqual((await following()).shown, [["two"]]);
  assert.deepEqual(told, []);
});

test("a rematch that began without this person calls them too", async () => {
  const { tables } = await following();
  server.mine = [{ ...ROUND, awaited: true }];
  await tables.refresh();
  assert.deepEqual(told, ["The others wait for you: Passerelles"]);
});

test("between two rounds of a tournament the page asks at once and often", async () => {
  const { tables } = await following();
  assert.deepEqual(timers, [30_000]);
  const before = server.asked;
  tables.awaitNextRound();
  tables.awaitNextRound();
  assert.equal(server.asked, before + 1);
  assert.deepEqual(timers, [0, 5_000]);
});
