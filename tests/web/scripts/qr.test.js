// QR codes, on the module that is served. The expected code was read by an independent reader (OpenCV).

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { qrModules } from "../../../src/ludotheque/web/static/lib/qr.js";

const rows = (text) => qrModules(text).map((row) => row.map(Number).join(""));
const hash = (text) => createHash("sha256").update(rows(text).join("\n")).digest("hex").slice(0, 16);

const EXPECTED = [
  "111111100111101111111",
  "100000100000101000001",
  "101110101010101011101",
  "101110101010001011101",
  "101110101100101011101",
  "100000101101001000001",
  "111111101010101111111",
  "000000001010000000000",
  "101111100101001111100",
  "000100001001111001101",
  "001111100110101101110",
  "001001011011111001100",
  "011100111110100100001",
  "000000001000100101000",
  "111111100101010010110",
  "100000101010000111110",
  "101110101001010010010",
  "101110101101111101000",
  "101110101100101100100",
  "100000100101111011100",
  "111111101100100010010",
];
const HASHES = [
  "ca4e5f8669011ed0",
  "6b3c728f6da5c737",
  "29e68797907db7dd",
  "9040f52bb1e8a298",
  "11f4048c14db893b",
  "536f804ac066bd50",
  "91c925bdfb77e72b",
  "05776ce767bdb1a4",
  "21e02ceea8d235cf",
  "f8a692e420006d88",
];

test("a short text is a code of the first version", () => {
  assert.deepEqual(rows("Hello"), EXPECTED);
});

test("longer texts take higher versions, up to 213 bytes", () => {
  const sizes = [14, 15, 26, 42, 62, 84, 106, 122, 152, 180, 213].map((length) => rows("x".repeat(length)).length);
  assert.deepEqual(sizes, [21, 25, 25, 29, 33, 37, 41, 45, 49, 53, 57]);
  assert.equal(qrModules("x".repeat(214)), null);
  assert.equal(qrModules("é".repeat(107)), null, "a letter may take two bytes");
});

test("codes of every version are the ones that were read", () => {
  const lengths = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213];
  assert.deepEqual(
    lengths.map((length) => hash("x".repeat(length))),
    HASHES,
  );
});
