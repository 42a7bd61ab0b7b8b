import { expect, it } from "vitest";
import { columnsOf, fitColumns, padColumns } from "./columns.ts";

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

it("cuts plain text as it cuts any other", () => {
  for (let columns = 0; columns < 12; columns++)
    expect(fitColumns("a plain line", columns)).toBe(fitColumns("a plain line\u200b", columns).replace("\u200b", ""));
});

it("pads by columns", () => {
  expect(padColumns("日本", 6)).toBe("日本  ");
  expect(columnsOf(padColumns("long", 2))).toBe(4);
});
