import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { jsonLines } from "./json-lines.ts";

test("finds the line of every key and element", () => {
  const { lineOf, brokenLine } = jsonLines('{\n "a": {"b": 1},\n "c\\"d": [\n  "x",\n  [true]\n ]\n}\n');
  expect([["a"], ["a", "b"], ['c"d'], ['c"d', 0], ['c"d', 1, 0], ["z"]].map((path) => lineOf(path))).toEqual([
    2,
    2,
    3,
    4,
    5,
    undefined,
  ]);
  expect(brokenLine).toBeUndefined();
});

test.each([
  ["", 1],
  ["{ mode: 1 }", 1],
  ['{\n "a": 1,\n}', 3],
  ['{\n "a": 1\n "b": 2\n}', 3],
  ['{"a": 1}\n// more', 2],
  ['{"a": "x\ny"}', 1],
  ['{\n"a": nul\n}', 2],
])("reports %j as broken from line %i", (text, line) => expect(jsonLines(text).brokenLine).toBe(line));

test("finds lines in a hundred thousand rules", () => {
  const rules = Array.from({ length: 100_000 }, (_, index) => ({ decision: "deny", command: `rm ${index}` }));
  const { lineOf } = jsonLines(JSON.stringify({ policy: { rules } }, null, 2));
  expect(lineOf(["policy", "rules", 99_999, "command"])).toBe(4 + 4 * 99_999 + 2);
});

test("reports no error for valid JSON and a position for invalid JSON", () => {
  const almost = fc
    .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }))
    .map(([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice(at % (text.length + 1)));
  fc.assert(
    fc.property(fc.oneof(fc.json(), almost), (text) => {
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      // An escape or a number that only JSON.parse rejects has no position to report.
      if (parses && !/[\u00a0\ufeff\u2028\u2029]/.test(text)) expect(jsonLines(text).brokenLine).toBeUndefined();
    }),
  );
});
