import { fc } from "../../test/support/fast-check.ts";
import { expect, it } from "vitest";
import { clipText } from "./clip.ts";

it("returns a text that fits unchanged", () => {
  expect(clipText("", 0)).toEqual({ text: "", bytes: 0, kept: 0 });
  expect(clipText("äh", 3)).toEqual({ text: "äh", bytes: 3, kept: 3 });
});

it.each([
  ["abc", 2, "ab"],
  ["aä", 2, "a"],
  ["a😀b", 4, "a"],
  ["a😀b", 5, "a😀"],
  ["abc", 0, ""],
  ["abc", -5, ""],
  ["abc", 1.9, "a"],
])("cuts %j to %d bytes", (text, max, expected) => expect(clipText(text, max).text).toBe(expected));

const text = fc.array(fc.constantFrom("a", "ä", "€", "😀"), { maxLength: 60 }).map((characters) => characters.join(""));

it("keeps the longest prefix of whole characters that fits", () => {
  fc.assert(
    fc.property(text, fc.nat({ max: 100 }), (text, max) => {
      const clipped = clipText(text, max);
      expect(clipped.bytes).toBe(Buffer.byteLength(text));
      expect(clipped.kept).toBe(Buffer.byteLength(clipped.text));
      expect(clipped.kept).toBeLessThanOrEqual(max);
      expect(text.startsWith(clipped.text)).toBe(true);
      const next = String.fromCodePoint(text.codePointAt(clipped.text.length) ?? 0x61);
      if (clipped.text !== text) expect(clipped.kept + Buffer.byteLength(next)).toBeGreaterThan(max);
    }),
  );
});

it("counts half a surrogate pair as the replacement character", () => {
  expect(clipText("a\ud83d", 4)).toEqual({ text: "a\ud83d", bytes: 4, kept: 4 });
  expect(clipText("\ud83dabc", 3)).toEqual({ text: "\ufffd", bytes: 6, kept: 3 });
});
