// A question as it stands, and the rotation that is previewed, on the modules that are served.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Question } from "../../../src/ludotheque/web/static/play/question.js";
import { Rotation } from "../../../src/ludotheque/web/static/play/rotation.js";

const turns = (first) =>
  [0, 1, 2].map((turn) => ({ key: `turn:${turn}`, label: `turned ${turn}`, action: first + turn }));
const TREE = [
  { key: "cell:a1", label: "a1", children: turns(0) },
  { key: "cell:b1", label: "b1", children: turns(10) },
  { key: "pass", label: "pass", action: 99 },
];
const EARLIER = { labels: ["tile 3"], earlierChoices: [[{ key: "tile:3", label: "tile 3", action: 1 }]] };

function asked(tree = TREE, continues = false, earlier = null) {
  const question = new Question();
  question.ask(tree, continues, earlier);
  return { question, rotation: new Rotation(question) };
}

test("the same question again keeps what was picked, unless it was answered", () => {
  const { question } = asked();
  question.narrowing.pick("cell:a1");
  assert.ok(question.ask(TREE, false, null));
  assert.deepEqual(question.narrowing.picked, ["cell:a1"]);
  question.isBusy = true;
  assert.ok(!question.isAsking);
  assert.ok(!question.ask(TREE, false, null));
  assert.deepEqual(question.narrowing.picked, []);
});

test("an empty tree asks nothing", () => {
  assert.ok(!asked([]).question.isAsking);
});

test("a refused move is asked again, from its last step on", () => {
  const { question } = asked();
  question.narrowing.pick("pass");
  question.restart();
  assert.equal(question.refused, "pass");
  assert.deepEqual(question.narrowing.picked, []);
});

test("a turn goes on until it is known to be over", () => {
  const { question } = asked(TREE, true);
  assert.ok(question.isPart);
  question.finish();
  assert.ok(!question.isPart);
  question.back();
  assert.ok(question.isPart);
});

test("earlier decisions are told, and can be changed", () => {
  const { question } = asked(TREE, true, EARLIER);
  question.narrowing.pick("cell:b1");
  assert.equal(question.trail, "Tile 3 · b1");
  assert.equal(question.placeOf("tile:3"), 0);
  assert.equal(question.placeOf("cell:a1"), -1);
  assert.ok(question.back());
  assert.ok(!question.back());
  assert.ok(question.canGoBack);
});

test("the trail has names alone, unless several choices share one", () => {
  const choices = [
    { key: "expand", label: "Expansion: 3 left", action: 1 },
    { key: "tile:a", label: "Tile : 4 bends", action: 2 },
    { key: "tile:b", label: "Tile : 4 straight", action: 3 },
  ];
  for (const [key, trail] of [
    ["expand", "Expansion"],
    ["tile:a", "Tile : 4 bends"],
  ]) {
    const { question } = asked(choices);
    question.narrowing.pick(key);
    assert.equal(question.trail, trail);
  }
});

test("turning goes through the rotations and begins anew", () => {
  const { rotation } = asked();
  assert.ok(!rotation.turn());
  rotation.pick("cell:b1");
  const seen = [rotation.move?.action];
  while (seen.length < 4 && rotation.turn()) seen.push(rotation.move?.action);
  assert.deepEqual(seen, [10, 11, 12, 10]);
});

test("what lies under the pointer keeps its rotation when it is picked, anything else does not", () => {
  const { question, rotation } = asked();
  rotation.look("cell:b1");
  rotation.turn();
  assert.equal(rotation.lookedMove?.action, 11);
  rotation.pick("cell:b1");
  assert.equal(rotation.move?.action, 11);
  question.back();
  rotation.pick("cell:a1");
  assert.equal(rotation.move?.action, 0);
});

test("what was just laid can be turned, on from the way it lies, where that was a decision of its own", () => {
  const spots = [{ key: "spot:town", label: "A member", action: 7 }];
  const after = (label, ways) => {
    const { question } = asked(spots, false, { labels: ["card", label], earlierChoices: [TREE, ways] });
    return question.nextTurn;
  };
  assert.equal(after("turned 0", turns(0)), "turn:1");
  assert.equal(after("turned 2", turns(0)), "turn:0");
  assert.equal(after("a1", TREE), "");
  assert.equal(asked(spots).question.nextTurn, "");
});
