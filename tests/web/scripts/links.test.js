// The pages that links with a secret open, on a fake page: a link can be tried again until it has worked.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const STATIC = "../../../src/ludotheque/web/static";
class FakeElement {
  disabled = false;
  hidden = true;
  textContent = "";
  dataset = {};
  addEventListener(_name, handler) {
    this.click = handler;
  }
}
for (const kind of ["HTMLElement", "HTMLButtonElement", "HTMLAnchorElement", "HTMLSelectElement"])
  globalThis[kind] = FakeElement;

/** @type {Record<string, FakeElement>} by the name of the part */
let parts = {};
let address = "";
let answers = [];
globalThis.localStorage = { getItem: () => null };
globalThis.document = {
  documentElement: new FakeElement(),
  querySelector: (selector) => {
    const name = /data-part="(.*)"/.exec(selector)[1];
    parts[name] ??= new FakeElement();
    return parts[name];
  },
  getElementById: () => null,
};
globalThis.history = {
  replaceState: (_state, _title, url) => {
    address = url;
  },
};
globalThis.fetch = async () => {
  const answer = answers.shift();
  if (!answer) throw new TypeError("no network");
  return { ok: true, json: async () => answer };
};

/** Open a page at an address. */
async function open(script, url) {
  address = url;
  globalThis.location = new URL(url, "https://example.org");
  await import(`${STATIC}/${script}?${Math.random()}`);
}

beforeEach(() => {
  parts = {};
  answers = [];
});

const PRESSED = [
  ["recover.js", "/recover", "recover", "recovered", { tables: 2, stored: {} }],
  ["reminders.js", "/reminders", "confirm", "report", { url: "/t/1" }],
];
for (const [script, path, name, report, answer] of PRESSED) {
  test(`${script}: after an error the button and the link can be used again`, async () => {
    await open(script, `${path}#secret`);
    await parts[name].click();
    assert.equal(parts[report].textContent, "The server does not answer.");
    assert.deepEqual([parts[name].disabled, address], [false, `${path}#secret`]);
    answers = [answer];
    await parts[name].click();
    assert.deepEqual([parts[name].disabled, address], [true, path]);
  });
}

test("the link that ends reminders is kept until it has worked", async () => {
  const reminders = new FakeElement();
  reminders.dataset = { stop: "secret" };
  for (const [answer, left] of [
    [null, "/reminders/stop?token=secret"],
    [{ ok: true }, "/reminders/stop"],
  ]) {
    parts = { reminders };
    answers = [answer];
    await open("reminders.js", "/reminders/stop?token=secret");
    await new Promise((done) => setImmediate(done));
    assert.equal(address, left);
  }
});
