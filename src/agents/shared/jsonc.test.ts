import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { parseJsonc } from "./jsonc.ts";

test.each([
  ['{ // a\n "b": "// c", /* d */ "e": [1, 2,], }', { b: "// c", e: [1, 2] }],
  ['\uFEFF// first\r\n{"a": "\\u0041/*"}\r\n', { a: "A/*" }],
  ['{"a": 1, "a": 2}', { a: 2 }],
  ['{"__proto__": {"a": 1}}', JSON.parse('{"__proto__": {"a": 1}}') as unknown],
  ["null", null],
])("%s", async (text, value) => expect(await parseJsonc(text)).toEqual(value));

test.each(["", "{", "{'a': 1}", '{"a": 1 "b": 2}', '{"a": 1}}', "{/*", "[1,,2]", '"a\nb"', "[".repeat(100_000)])(
  "rejects %j",
  (text) => expect(parseJsonc(text)).rejects.toThrow(/unexpected text|call stack/),
);

test("reads plain JSON like JSON.parse", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const text = JSON.stringify(value, null, 2);
      expect(await parseJsonc(text)).toEqual(JSON.parse(text));
    }),
  );
});
