import { expect, it } from "vitest";
import { columnsOf, fitColumns, oneColumnEach, padColumns } from "./columns.ts";

it.each([
  ["abcdef", 6, "abcdef"],
  ["abcdef", 5, "abcd…"],
  ["abc def", 5, "abc…"],
  ["abcdef", 1, "…"],
  ["abcdef", 0, "…"],
  ["日本語日本語", 7, "日本語…"],
  ["e\u0301e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301…"],
  ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…"],
])("cuts %j to %i columns between characters", (text, columns, cut) => {
  expect(fitColumns(text, columns)).toBe(cut);
});

it("cuts plain text the same way as other text", () => {
  for (let columns = 0; columns < 12; columns++)
    expect(fitColumns("a plain line", columns)).toBe(fitColumns("a plain line\u200b", columns).replace("\u200b", ""));
});

it("pads by columns", () => {
  expect(padColumns("日本", 6)).toBe("日本  ");
  expect(columnsOf(padColumns("long", 2))).toBe(4);
});

it("recognises text whose characters take one column and never combine", () => {
  const characters = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code));
  const plain = characters.filter((character) => oneColumnEach.test(character));
  expect(plain.join("")).toContain("abc");
  expect(plain.filter((character) => columnsOf(character) !== 1)).toEqual([]);
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const shuffled = plain.flatMap((character, at) => [character, plain[(at * 37) % plain.length]!, character]);
  expect([...segmenter.segment(shuffled.join(""))]).toHaveLength(shuffled.length);
  for (const joining of ["\u0301", "\u00ad", "\u200d", "\ufe0f", "\t", "\x1b", "\x7f", "\x9b", "日", "👍"])
    expect(oneColumnEach.test(joining)).toBe(false);
});
