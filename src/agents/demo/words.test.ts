import { describe, expect, test } from "vitest";
import { firstWord, splitSteps, splitWords, unquote } from "./words.ts";

describe("splitSteps", () => {
  test.each([
    ["list", ["list"]],
    [" list ; read a ;; ", ["list", "read a"]],
    ['write a "one; two"; list', ['write a "one; two"', "list"]],
    ["say it's; read 'a b'", ["say it's", "read 'a b'"]],
    ["say 'tis; list", ["say 'tis", "list"]],
    ['run sh -c "echo \\"a;b\\""; list', ['run sh -c "echo \\"a;b\\""', "list"]],
    ["", []],
  ])("splits %s", (text, steps) => {
    expect(splitSteps(text)).toEqual(steps);
  });
});

describe("splitWords", () => {
  test.each([
    ["npm  test", ["npm", "test"]],
    ["node -e \"console.log(1)\" 'a b'", ["node", "-e", "console.log(1)", "a b"]],
    ['--name="a b" x', ["--name=a b", "x"]],
    ['a "" b', ["a", "", "b"]],
    ['"say \\"hi\\" \\\\"', ['say "hi" \\']],
    ["it's $HOME *", ["it's", "$HOME", "*"]],
    ['"open', ['"open']],
  ])("splits %s", (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });
});

test("firstWord removes quotes and keeps the rest unchanged", () => {
  expect(firstWord('"a b" "c"')).toEqual({ word: "a b", rest: '"c"' });
  expect(firstWord("a  b c")).toEqual({ word: "a", rest: "b c" });
  expect(firstWord("a")).toEqual({ word: "a", rest: "" });
});

test("unquote removes only quotes around the whole text", () => {
  expect(unquote('"a; b"')).toBe("a; b");
  expect(unquote('"a" b')).toBe('"a" b');
  expect(unquote("it's")).toBe("it's");
});

test("reads a long prompt full of open quotes in linear time", () => {
  expect(splitSteps('"x '.repeat(200_000))).toHaveLength(1);
});
