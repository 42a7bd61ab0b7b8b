import { UnicodeGraphemesAddon } from "../../../test/support/graphemes-addon.ts";
import headless from "@xterm/headless";
import { describe, expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { keyOf } from "../../../test/support/tui-keys.ts";
import { stripAnsi } from "../../events/printable.ts";
import type { Theme } from "../theme.ts";
import { graphemes } from "../../events/columns.ts";
import { boundary, graphemeColumns } from "./graphemes.ts";
import { editKey } from "./keys.ts";
import { clickEditor, editorLines, type EditorLook } from "./lines.ts";
import { emptyEditor, insertPaste, setText, type EditorState } from "./state.ts";

const same = (text: string): string => text;
const styled = (text: string): string => (text === "" ? "" : `\x1b[36m${text}\x1b[39m`);
const theme = new Proxy({} as Theme, {
  get: (_, name) => (name === "accent" || name === "dim" ? styled : same),
});
const look: EditorLook = { theme, prefix: "> ", maxRows: 100 };

function rows(state: EditorState, width: number, more: Partial<EditorLook> = {}): readonly string[] {
  return editorLines(state, width, { ...look, ...more }).lines.map(stripAnsi);
}

function text(value: string): EditorState {
  return setText(emptyEditor, value);
}

describe("rows", () => {
  test.each<[string, string, number, string[]]>([
    ["words", "hello big world", 10, ["> hello ", "  big ", "  world"]],
    ["a word that is too long", "abcdefghij", 8, ["> abcde", "  fghij"]],
    ["Chinese anywhere", "漢字漢字漢字", 9, ["> 漢字漢", "  字漢字"]],
    ["lines", "a\n\nb", 20, ["> a", "  ", "  b"]],
    ["CR LF and CR", "a\r\nb\rc", 20, ["> a", "  b", "  c"]],
    ["tabs as blanks", "a\tb", 20, ["> a    b"]],
    ["control characters as pictures", "a\x1b[31m\x07b", 20, ["> a␛[31m␇b"]],
    ["no invisible characters", "a\u202eb\u200bc", 20, ["> abc"]],
    ["no prefix when narrow", "abcd", 4, ["abc", "d"]],
    ["one column", "ab漢", 1, ["a", "b", "…"]],
  ])("%s", (_, value, width, expected) => {
    expect(rows({ ...text(value), cursor: 0 }, width)).toEqual(expected);
  });

  test("shows a paste as its mark, cut when it does not fit", () => {
    const state = insertPaste(emptyEditor, "x\n".repeat(119) + "x");
    expect(rows(state, 60)).toEqual(["> [Pasted text #1, 120 lines]"]);
    expect(rows(state, 14)).toEqual(["> [Pasted te…"]);
    expect(rows({ ...state, cursor: 0 }, 1)).toEqual(["…"]);
    expect(rows(insertPaste(emptyEditor, "y".repeat(500)), 60)).toEqual(["> [Pasted text #1, 500 characters]"]);
  });

  test("shows the placeholder only while the editor is empty", () => {
    expect(rows(emptyEditor, 20, { placeholder: "Ask anything" })).toEqual(["> Ask anything"]);
    expect(rows(emptyEditor, 8, { placeholder: "Ask anything" })).toEqual(["> Ask a…"]);
    expect(rows(text("x"), 20, { placeholder: "Ask anything" })).toEqual(["> x"]);
    expect(editorLines(emptyEditor, 20, { ...look, placeholder: "Ask" }).cursor).toEqual({ row: 0, column: 2 });
  });

  test("puts the cursor on a row of its own after a full row", () => {
    expect(editorLines(text("ab "), 3, look)).toMatchObject({ lines: ["ab ", ""], cursor: { row: 1, column: 0 } });
  });

  test("scrolls no further than the cursor needs, and counts hidden rows", () => {
    const state = text(Array.from({ length: 10 }, (_, index) => String(index)).join("\n"));
    const small = { ...look, maxRows: 3 };
    const end = editorLines(state, 20, small);
    expect([end.lines.map(stripAnsi), end.cursor.row, end.above, end.below]).toEqual([["  7", "  8", "  9"], 2, 7, 0]);
    const up = editKey(state, keyOf("up"), { width: 20 }).state;
    expect(editorLines(up, 20, { ...small, top: end.top })).toMatchObject({ top: 7, cursor: { row: 1 } });
    const first = editorLines({ ...state, cursor: 0 }, 20, { ...small, top: end.top });
    expect([first.lines.map(stripAnsi), first.top, first.below]).toEqual([["> 0", "  1", "  2"], 0, 7]);
    expect(editorLines(state, 20, { ...look, maxRows: 0 }).lines).toHaveLength(1);
  });

  test("moves the cursor to the clicked cell", () => {
    const state = text("ab漢c\nsecond");
    const click = (row: number, column: number) => clickEditor(state, 20, look, { row, column }).cursor;
    expect([click(0, 0), click(0, 3), click(0, 4), click(0, 5), click(0, 19), click(1, 4), click(9, 99)]).toEqual([
      0, 1, 2, 2, 4, 7, 11,
    ]);
  });
});

/** Characters for which programs and terminals often count different columns. */
const hard = [
  ...["漢", "字", "👩‍👩‍👧‍👦", "👍🏽", "🏳️‍🌈", "🇩🇪", "🇫🇷", "❤️", "✈️", "1️⃣", "e\u0301", "שָׁ", "ל", "ก", "ที่", "กำ", "ม่ำ"],
  ...["한", "\u1112\u1161\u11ab", "का", "が", "か\u3099", "😀", "é", "…", "│"],
];

/** Draws like a screen and places the cursor. Returns the column after the last row, and the cell of the cursor. */
async function drawn(state: EditorState, width: number) {
  const { lines, cursor } = editorLines(state, width, look);
  const terminal = new headless.Terminal({ cols: width, rows: lines.length, allowProposedApi: true });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.unicode.activeVersion = "15-graphemes";
  const write = (data: string): Promise<void> => new Promise((resolve) => terminal.write(data, resolve));
  await write(lines.join("\r\n"));
  const { active } = terminal.buffer;
  const end = active.cursorX;
  await write(`\x1b[${cursor.row + 1};${cursor.column + 1}H`);
  const cell = active.getLine(active.cursorY)?.getCell(active.cursorX)?.getChars();
  terminal.dispose();
  return { end, cell, cursor };
}

describe("cursor cell matches the terminal", () => {
  test.each(hard)("%s", async (grapheme) => {
    const state = text(`a${grapheme}b${grapheme}`);
    const { end, cursor } = await drawn(state, 40);
    expect(end).toBe(cursor.column);
    expect((await drawn({ ...state, cursor: 1 + grapheme.length }, 40)).cell).toBe("b");
  });

  test("anywhere in a text of several rows", async () => {
    const parts = fc.array(fc.constantFrom(...hard, "a", " ", "\t", "\n"), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(parts, parts, fc.integer({ min: 2, max: 40 }), async (before, after, width) => {
        const state = text(`${before.join("")}X${after.join("")}`);
        const { cell } = await drawn({ ...state, cursor: before.join("").length }, width);
        expect(cell).toBe("X");
      }),
      { numRuns: 100 },
    );
  });
});

function columns(line: string): number {
  return Array.from(graphemes(line)).reduce((sum, { segment }) => sum + graphemeColumns(segment), 0);
}

const anyText = fc
  .array(
    fc.oneof(fc.constantFrom(...hard, " ", "\t", "\n", "\r\n", "word", "\x1b[2J"), fc.string({ unit: "binary" })),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(""));

test("no row is wider than the width, and the cursor is always inside", () => {
  fc.assert(
    fc.property(
      anyText,
      fc.integer({ min: 1, max: 40 }),
      fc.nat(),
      fc.integer({ min: 1, max: 6 }),
      (value, width, at, maxRows) => {
        const state = text(value);
        const cursor = boundary(state, at % (value.length + 1));
        const shown = editorLines({ ...state, cursor }, width, { ...look, maxRows });
        expect(shown.lines.every((line) => columns(stripAnsi(line)) <= width)).toBe(true);
        expect(shown.lines.length).toBeLessThanOrEqual(maxRows);
        expect(shown.cursor.row).toBeLessThan(shown.lines.length);
        expect(shown.cursor.column).toBeLessThan(width);
        expect(shown.lines.join("")).not.toMatch(/[\x00-\x1a\x1c-\x1f]/);
      },
    ),
  );
});
