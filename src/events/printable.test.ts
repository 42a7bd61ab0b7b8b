import { fc } from "../../test/support/fast-check.ts";
import { expect, it } from "vitest";
import { fitColumns } from "./columns.ts";
import { oneLine, printable, stripAnsi } from "./printable.ts";

it.each([
  ["\u001b[1;31mred\u001b[0m", "red"],
  ["\u001b]0;title\u0007text", "text"],
  ["\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["\u001bPq#0;2;0;0;0\u001b\\x", "x"],
  ["\u009b31mred\u009d0;title\u009cx", "redx"],
  ["\u001bcreset \u001b(Bx", "reset x"],
  ["\u001b]0;never closed\nnext", "\nnext"],
  ["ends with \u001b", "ends with "],
  ["ends with \u001b[", "ends with "],
])("strips %j", (text, expected) => expect(stripAnsi(text)).toBe(expected));

it.each([
  ["one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"],
  ["tab\there\u0000\u0008\u007f", "tab\there"],
  ["evil\u202egnp.exe\u2066", "evilgnp.exe"],
  ["half \ud83d of it", "half \ufffd of it"],
  ["👩‍👩‍👧 stays 漢", "👩‍👩‍👧 stays 漢"],
])("makes %j printable", (text, expected) => expect(printable(text)).toBe(expected));

it("leaves nothing that a terminal would interpret", () => {
  const hostile = fc.array(
    fc.constantFrom("\u001b", "\u009b", "[", "]", "\\", "P", "0;31m", "\u0007", "\r", "a", "\n"),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(hostile, (parts) => {
      expect(printable(parts.join(""))).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      expect(oneLine(parts.join(""))).not.toMatch(/\s\s|[\n\t]|^\s|\s$/);
    }),
  );
});

it.each([
  ["short", 10, "short"],
  ["exactly ten", 11, "exactly ten"],
  ["exactly ten", 10, "exactly t…"],
  ["a word", 3, "a…"],
  ["漢字漢字", 8, "漢字漢字"],
  ["漢字漢字", 7, "漢字漢…"],
  ["漢字漢字", 6, "漢字…"],
  ["e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"],
  ["😀😀", 3, "😀…"],
  ["👨‍👩‍👧‍👦🇩🇪👍🏽⚠️", 8, "👨‍👩‍👧‍👦🇩🇪👍🏽⚠️"],
  ["👨‍👩‍👧‍👦🇩🇪👍🏽⚠️", 7, "👨‍👩‍👧‍👦🇩🇪👍🏽…"],
  ["👨‍👩‍👧‍👦🇩🇪👍🏽⚠️", 4, "👨‍👩‍👧‍👦…"],
])("fits %j into %d columns", (text, columns, expected) => expect(fitColumns(text, columns)).toBe(expected));
