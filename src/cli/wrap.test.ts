import { expect, it } from "vitest";
import { wrap } from "./wrap.ts";

it("breaks long lines between words and keeps short ones", () => {
  expect(wrap("one two three", 8)).toBe("one two\nthree");
  expect(wrap("short\nlines", 20)).toBe("short\nlines");
  expect(wrap("a\n\nb", 20)).toBe("a\n\nb");
});

it("leaves a word alone that is longer than a line", () => {
  expect(wrap("abcdefghij k", 4)).toBe("abcdefghij\nk");
});
