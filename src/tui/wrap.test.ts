import { describe, expect, test } from "vitest";
import { fc } from "../../test/support/fast-check.ts";
import { columnsOf } from "../events/columns.ts";
import { printable } from "../events/printable.ts";
import type { Line } from "./line.ts";
import { themes } from "./themes.ts";
import { copyText, cutStyled, expandTabs, plain, rowsOf, styledColumns } from "./wrap.ts";

const { bold, code, removed, removedWord } = themes.dark;

const rows = (line: Line, width: number): string[] => rowsOf(line, width).map(({ text }) => plain(text));

describe("words", () => {
  test.each<[what: string, line: Line, width: number, expected: string[]]>([
    ["fits", { text: "one two" }, 7, ["one two"]],
    ["breaks between words", { text: "one two three" }, 8, ["one two", "three"]],
    ["does not show the blank at a break", { text: "one  two" }, 4, ["one", "two"]],
    ["keeps blanks at the start", { text: "  one two" }, 6, ["  one", "two"]],
    ["breaks a word that is too long", { text: "a abcdefgh b" }, 4, ["a", "abcd", "efgh", "b"]],
    ["breaks between wide characters", { text: "日本語 text" }, 5, ["日本", "語", "text"]],
    ["breaks before a wide character", { text: "abc日本" }, 4, ["abc", "日本"]],
    ["keeps a grapheme whole", { text: "👨‍👩‍👧👨‍👩‍👧e\u0301e\u0301" }, 3, ["👨‍👩‍👧", "👨‍👩‍👧", "e\u0301e\u0301"]],
    ["shows a character that is too wide as a mark", { text: "日a" }, 1, ["?", "a"]],
    ["has one row for an empty line", { text: "" }, 5, [""]],
    ["repeats the indent", { text: "one two", prefix: "• " }, 6, ["• one", "  two"]],
    ["repeats a bar", { text: "one two", prefix: "│ ", indent: "│ " }, 6, ["│ one", "│ two"]],
    ["shortens a prefix that leaves no room", { text: "ab", prefix: "          " }, 4, ["  ab"]],
    ["breaks code anywhere", { text: "let a = 1;", wrap: "soft" }, 4, ["let ", "a = ", "1;"]],
    ["cuts a line with wrap: cut", { text: "one two", wrap: "cut" }, 5, ["one …"]],
    ["uses rows that are laid out already", { text: "a", laid: ["a │ b", "  │ c"] }, 5, ["a │ b", "  │ c"]],
  ])("%s", (_what, line, width, expected) => {
    expect(rows(line, width)).toEqual(expected);
  });
});

test("continues a style in the next row, closed in each row", () => {
  const [first, second] = rowsOf({ text: `${bold(`one ${code("two")}`)} x` }, 3);
  expect(first!.text).toBe("\x1b[1mone\x1b[0m");
  expect(second!.text).toBe(`\x1b[1;38;2;215;186;125mtwo\x1b[0m`);
});

test("returns to the outer style after a nested one", () => {
  const [row] = rowsOf({ text: removed(`a${removedWord("b")}c`), wrap: "soft" }, 9);
  const colours = [...row!.text.matchAll(/\x1b\[([\d;]+)m[abc]/g)].map(([, codes]) => codes);
  expect(colours[0]).toBe(colours[2]);
  expect(colours[0]).not.toBe(colours[1]);
});

test("returns the same rows while the width stays", () => {
  const line = { text: "one two" };
  expect(rowsOf(line, 5)).toBe(rowsOf(line, 5));
  expect(rowsOf(line, 3)).not.toBe(rowsOf(line, 5));
});

test("copies tabs wherever a row ends", () => {
  const source = "\tif (x)\treturn";
  const line: Line = { text: expandTabs(source), source, wrap: "soft" };
  expect(rowsOf(line, 4).map(({ from, to }) => source.slice(from, to))).toEqual(["\t", "if (", "x)\t", "retu", "rn"]);
});

test.each([
  ["日本語", 4, "日本"],
  ["日本語", 5, "日本"],
  ["abc", 0, ""],
  [bold("abcd"), 2, "\x1b[1mab\x1b[0m"],
])("cutStyled(%j, %i)", (text, width, expected) => {
  expect(cutStyled(text, width)).toBe(expected);
});

const styles = [bold, code, removed, removedWord, (text: string) => text];
const anyText = fc
  .array(
    fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.string({ unit: "grapheme", maxLength: 40 }), fc.string()),
  )
  .map((parts) => printable(parts.join(" ")).replace(/\s/g, " "));
const anyLine: fc.Arbitrary<Line> = fc.record(
  {
    text: fc
      .array(fc.tuple(anyText, fc.nat(styles.length - 1)), { maxLength: 4 })
      .map((parts) => parts.map(([text, style]) => styles[style]!(text)).join("")),
    prefix: fc.constantFrom("", "• ", bold("│ │ "), "                "),
    wrap: fc.constantFrom("soft" as const, "word" as const, "cut" as const),
  },
  { requiredKeys: ["text"] },
);

test("makes no row wider than the screen, and the rows join to the source", () => {
  fc.assert(
    fc.property(anyLine, fc.integer({ min: 1, max: 100 }), (line, width) => {
      const found = rowsOf(line, width);
      for (const { text } of found) {
        expect(styledColumns(text)).toBeLessThanOrEqual(width);
        expect(columnsOf(plain(text))).toBeLessThanOrEqual(width);
      }
      const source = copyText(line);
      expect(found.map(({ from, to }) => source.slice(from, to)).join("")).toBe(source);
    }),
    { numRuns: 500 },
  );
});

test("restores a source with tabs at any width", () => {
  const code = fc.array(fc.constantFrom("\t", "a", "日", " ", "👍", "e\u0301"), { maxLength: 60 });
  fc.assert(
    fc.property(code, fc.integer({ min: 1, max: 30 }), (parts, width) => {
      const source = parts.join("");
      const line: Line = { text: expandTabs(source), source, wrap: "soft" };
      const found = rowsOf(line, width);
      expect(found.map(({ from, to }) => source.slice(from, to)).join("")).toBe(source);
      expect(found.every(({ from, to }) => from <= to)).toBe(true);
    }),
  );
});
