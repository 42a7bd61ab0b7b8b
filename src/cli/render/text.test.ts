import { expect, it } from "vitest";
import { wrap } from "./text.ts";

it("breaks long lines between words and keeps short ones", () => {
  expect(wrap("one two three", 8)).toBe("one two\nthree");
  expect(wrap("short\nlines", 20)).toBe("short\nlines");
  expect(wrap("a\n\nb", 20)).toBe("a\n\nb");
});

it("keeps a word that is longer than a line", () => {
  expect(wrap("abcdefghij k", 4)).toBe("abcdefghij\nk");
});

it("counts columns, not letters", () => {
  expect(wrap("日本語 日本 a", 9)).toBe("日本語\n日本 a");
  expect(wrap("👨‍👩‍👧‍👦 👍🏽 ab", 8)).toBe("👨‍👩‍👧‍👦 👍🏽 ab");
});
