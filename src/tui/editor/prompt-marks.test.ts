import { expect, test } from "vitest";
import { mentionedImages, mentionsOf, pastedImagePath, readPrompt, type ReadPrompt } from "./prompt-marks.ts";

test.each<[string, ReadPrompt]>([
  ["hello", { kind: "prompt", text: "hello" }],
  ["", { kind: "prompt", text: "" }],
  ["!ls -l", { kind: "shell", text: "ls -l" }],
  ["! ls", { kind: "shell", text: "ls" }],
  ["!", { kind: "prompt", text: "!" }],
  ["\\!important", { kind: "prompt", text: "!important" }],
  [" !x", { kind: "prompt", text: " !x" }],
  ["& fix it\n now", { kind: "cloud", text: "fix it\n now" }],
  ["\\& more", { kind: "prompt", text: "& more" }],
  ["&& x", { kind: "prompt", text: "&& x" }],
  ["&", { kind: "prompt", text: "&" }],
  ["/model sonnet-4.5 ", { kind: "slash", text: "model sonnet-4.5 ", name: "model", args: "sonnet-4.5" }],
  ["/help", { kind: "slash", text: "help", name: "help", args: "" }],
  ["/mcp enable\ngithub", { kind: "slash", text: "mcp enable\ngithub", name: "mcp", args: "enable\ngithub" }],
  ["/usr/bin is a folder", { kind: "prompt", text: "/usr/bin is a folder" }],
  ["/model a/b", { kind: "slash", text: "model a/b", name: "model", args: "a/b" }],
  ["//x", { kind: "prompt", text: "//x" }],
  ["/", { kind: "prompt", text: "/" }],
  ["\\/help", { kind: "prompt", text: "/help" }],
  ["\\x", { kind: "prompt", text: "\\x" }],
  ["a /help", { kind: "prompt", text: "a /help" }],
  ["  keeps\t blanks \n", { kind: "prompt", text: "  keeps\t blanks \n" }],
])("%j", (text, expected) => {
  expect(readPrompt(text)).toEqual(expected);
});

test("finds mentions", () => {
  const text = 'see @a.ts, (@b/c.png) and @"d e.ts", not me@home or @ or @@x';
  expect(mentionsOf(text).map(({ path, from, to }) => [path, text.slice(from, to)])).toEqual([
    ["a.ts,", "@a.ts,"],
    ["b/c.png)", "@b/c.png)"],
    ["d e.ts", '@"d e.ts"'],
  ]);
});

test("finds existing images, each once, without trailing punctuation", () => {
  const there = new Set(["a.png", "b c.JPG", "odd).gif", "x.txt"]);
  const text = '@a.png, (@a.png) @"b c.JPG" @odd).gif @x.txt @gone.png';
  expect(mentionedImages(text, (path) => there.has(path))).toEqual(["a.png", "b c.JPG", "odd).gif"]);
});

test.each([
  ["/tmp/a.png", "/tmp/a.png"],
  ["'/tmp/a b.png' ", "/tmp/a b.png"],
  ['"/tmp/a b.png"', "/tmp/a b.png"],
  ["/tmp/a\\ b.png", "/tmp/a b.png"],
  ["~/a.webp\n", "~/a.webp"],
  ["look at /tmp/a.png", undefined],
  ["/tmp/a.png\n/tmp/b.png", undefined],
  ["/tmp/a.txt", undefined],
  ["a.png", undefined],
])("reads pasted %j as the image %j", (pasted, expected) => {
  expect(pastedImagePath(pasted)).toBe(expected);
});
