// The choices of the prompt, on the module that is served.

import assert from "node:assert/strict";
import { test } from "node:test";
import { labelOf, movesOf, Narrowing, numbersOf } from "../../../src/ludotheque/web/static/play/choices.js";

globalThis.document = { getElementById: () => null, documentElement: { lang: "en" } };
const step = (key, children, action = null) => ({ key, label: key.toUpperCase(), children, action });
const TREE = [
  step("tile:a", [step("cell:1", [], 1), step("cell:2", [], 2)]),
  step("tile:b", [step("cell:1", [], 3)]),
  step("pass", [], 4),
];
const keys = (steps) => steps.map(({ key }) => key);

test("every leaf of the tree is a move with its path", () => {
  assert.deepEqual(
    movesOf(TREE).map(({ action, path }) => [action, keys(path)]),
    [
      [1, ["tile:a", "cell:1"]],
      [2, ["tile:a", "cell:2"]],
      [3, ["tile:b", "cell:1"]],
      [4, ["pass"]],
    ],
  );
});

test("nothing is settled before something was picked", () => {
  const narrowing = new Narrowing(TREE);
  assert.equal(narrowing.settled, null);
  assert.deepEqual(keys(narrowing.question), ["tile:a", "tile:b", "pass"]);
  assert.deepEqual([...narrowing.offered].sort(), ["cell:1", "cell:2", "pass", "tile:a", "tile:b"]);
});

test("steps are picked in any order", () => {
  const narrowing = new Narrowing(TREE);
  narrowing.pick("cell:1");
  assert.deepEqual(keys(narrowing.question), ["tile:a", "tile:b"]);
  narrowing.pick("tile:b");
  assert.equal(narrowing.settled?.action, 3);
});

test("a step that leaves one move settles it", () => {
  const narrowing = new Narrowing(TREE);
  narrowing.pick("cell:2");
  assert.equal(narrowing.settled?.action, 2);
});

test("a step that narrows nothing is not offered", () => {
  const narrowing = new Narrowing([step("tile:a", [step("cell:1", [], 1), step("cell:2", [], 2)])]);
  assert.equal(narrowing.offers("tile:a"), false);
  assert.equal(narrowing.offers("cell:1"), true);
  assert.deepEqual(keys(narrowing.question), ["cell:1", "cell:2"]);
});

test("the only move is offered for confirmation", () => {
  const narrowing = new Narrowing([step("pass", [], 4)]);
  assert.deepEqual(keys(narrowing.question), ["pass"]);
  assert.equal(narrowing.offers("pass"), true);
});

test("back and unpick take steps away", () => {
  const narrowing = new Narrowing(TREE);
  narrowing.pick("cell:1");
  narrowing.pick("tile:a");
  narrowing.back();
  assert.deepEqual(narrowing.picked, ["cell:1"]);
  narrowing.unpick("cell:1");
  assert.equal(narrowing.left.length, 4);
});

test("what would be asked after a step is known before it is picked", () => {
  const bids = [3, 4].map((number) => step(`bid:${number}`, [], number));
  const narrowing = new Narrowing([step("bid", bids), step("pass", [], 9)]);
  assert.deepEqual(keys(narrowing.question), ["bid", "pass"]);
  assert.deepEqual(keys(narrowing.questionAfter("bid")), ["bid:3", "bid:4"]);
  assert.deepEqual(keys(narrowing.questionAfter("pass")), ["pass"]);
  const last = new Narrowing([step("bid", bids.slice(1)), step("pass", [], 9)]);
  assert.deepEqual(keys(last.questionAfter("bid")), ["bid:4"], "also if there is only one");
});

test("numbers in a row become a number field", () => {
  const bids = [3, 4, 5, 6, 7, 8].map((number) => ({ key: `bid:${number}`, label: String(number) }));
  assert.deepEqual(numbersOf(bids), [3, 4, 5, 6, 7, 8]);
  assert.equal(numbersOf([...bids, { key: "bid:10", label: "10" }]), null, "a gap");
  assert.equal(numbersOf([...bids, { key: "pass", label: "Pass" }]), null, "no number");
});

test("a step that a later one repeats is not named", () => {
  const bid = [
    { key: "bid", label: "Bid, from $7" },
    { key: "bid:9", label: "Bid $9" },
  ];
  assert.equal(labelOf(bid), "Bid $9");
});

test("steps are named in order", () => {
  assert.equal(
    labelOf([
      { key: "a", label: "A" },
      { key: "b", label: "B" },
    ]),
    "A · B",
  );
});

test("a step is picked instead of the last one that rules it out", () => {
  const narrowing = new Narrowing(TREE);
  narrowing.picked = ["tile:a", "cell:1"];
  assert.deepEqual(narrowing.alternatives, new Set(["tile:a", "tile:b", "cell:1", "cell:2"]));
  assert.ok(narrowing.exchange("cell:2"));
  assert.deepEqual(narrowing.picked, ["tile:a", "cell:2"]);
  assert.ok(!narrowing.exchange("tile:b"), "that tile does not fit there");
  narrowing.picked = ["tile:a", "cell:1"];
  assert.ok(narrowing.exchange("tile:b"));
  assert.deepEqual(narrowing.picked, ["cell:1", "tile:b"]);
});

test("without a pick there is nothing to exchange", () => {
  const narrowing = new Narrowing(TREE);
  assert.equal(narrowing.alternatives.size, 0);
  assert.ok(!narrowing.exchange("cell:1"));
});

// A turn of several decisions that are asked for at once: the action, the company, the hex.
const hex = (key, action) => ({ ...step(key, [], action), tag: `$${action}` });
const TURN = [
  {
    ...step("expand", [], 1),
    next: [{ ...step("a", [], 6), next: [hex("R3", 20), hex("Q3", 21)] }, step("decline", [], 3)],
  },
  { ...step("develop", [], 2), next: [hex("Q3", 21)] },
];

test("a move has the actions of all decisions before its last", () => {
  assert.deepEqual(
    movesOf(TURN).map(({ before, action, path }) => [...before, action, ...keys(path)]),
    [
      [1, 6, 20, "expand", "a", "R3"],
      [1, 6, 21, "expand", "a", "Q3"],
      [1, 3, "expand", "decline"],
      [2, 21, "develop", "Q3"],
    ],
  );
});

test("a place of a later decision answers the earlier ones, as far as they are the same", () => {
  const narrowing = new Narrowing(TURN);
  narrowing.pick("R3");
  assert.deepEqual([narrowing.settled?.before, narrowing.settled?.action], [[1, 6], 20]);
  const other = new Narrowing(TURN);
  other.pick("Q3");
  assert.deepEqual(keys(other.question), ["expand", "develop"]);
});

test("later decisions are pointed out only once something is picked", () => {
  const narrowing = new Narrowing(TURN);
  assert.deepEqual([...narrowing.asked.keys()], ["expand", "develop"]);
  narrowing.pick("expand");
  assert.deepEqual(Object.fromEntries(narrowing.asked), { a: "", decline: "", R3: "$20", Q3: "$21" });
});

test("what is decided for all moves that are left is known", () => {
  const narrowing = new Narrowing(TURN);
  assert.deepEqual(narrowing.decided, []);
  narrowing.pick("expand");
  assert.deepEqual([narrowing.decided, narrowing.openPicks], [[1], []]);
  narrowing.pick("a");
  assert.deepEqual([narrowing.decided, narrowing.openPicks], [[1, 6], []]);
});

test("a move whose steps are all in the tray is confirmed by picking the last of them", () => {
  const swap = step("swap:20", [step("open:20", [], 1), step("hidden:20", [], 2)]);
  const inTray = (key) => !key.startsWith("cell");
  for (const order of [
    ["swap:20", "open:20"],
    ["open:20", "swap:20"],
  ]) {
    const narrowing = new Narrowing([swap, ...TREE]);
    narrowing.pick(order[0]);
    assert.ok(!narrowing.isPickedIn(inTray), `${order[0]} alone`);
    narrowing.pick(order[1]);
    assert.ok(narrowing.isPickedIn(inTray), order.join(", "));
  }
  const laid = new Narrowing(TREE);
  for (const key of ["tile:b", "cell:1"]) laid.pick(key);
  assert.ok(!laid.isPickedIn(inTray), "a tile on the board is looked at first");
  const passed = new Narrowing(TREE);
  passed.pick("pass");
  assert.ok(!passed.isPickedIn(inTray), "one tap is not confirmed by another");
});

test("a pick that leads to a question asks it, however many answers are left", () => {
  const ask = { ...TURN[0], asks: "Which company expands?" };
  const narrowing = new Narrowing([ask, TURN[1]]);
  assert.equal(narrowing.followUp, "");
  narrowing.pick("expand");
  assert.equal(narrowing.followUp, "Which company expands?");
});

test("what is left is said in one sentence, and the words that answers share once", () => {
  const cell = (first) => [step("cell:G4", [], first)];
  const pieces = [2, 4].map((length) => ({
    ...step(`piece:${length}`, cell(length)),
    label: `piece of length ${length}`,
  }));
  const narrowing = new Narrowing(pieces);
  narrowing.pick("cell:G4");
  assert.equal(narrowing.followUp, "CELL:G4: piece of length 2 or 4");
  const swap = { ...step("swap", [step("open", [], 7), step("hidden", [], 8)]), label: "swap" };
  const other = new Narrowing([swap, step("pass", [], 9)]);
  other.pick("swap");
  assert.equal(other.followUp, "Swap: OPEN or HIDDEN");
});

test("a piece is to be picked before one of several places, unless there is only one piece", () => {
  const cells = (first) => ["a", "b"].map((name, place) => step(`cell:${name}`, [], first + place));
  const places = new Set(["cell:a", "cell:b"]);
  const pieces = [step("piece:5", cells(0)), step("piece:4", cells(2)), step("pass", [], 9)];
  const narrowing = new Narrowing(pieces);
  assert.deepEqual(narrowing.beginningsTo(places), ["piece:5", "piece:4"]);
  narrowing.pick("piece:4");
  assert.deepEqual(narrowing.beginningsTo(places), []);
  const swap = step("swap", [step("open", [], 7), step("hidden", [], 8)]);
  assert.deepEqual(new Narrowing([pieces[0], swap]).beginningsTo(places), []);
});
