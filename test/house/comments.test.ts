/** A comment names its subject: one that begins with "What", "Who" or "It" makes the reader search for it. */
import { describe, expect, test } from "vitest";
import { files, read } from "./source.ts";

/** The share of comments that may still begin so. */
const mostPercent = 1;

const noSubject = /^(?:What|Who|Whoever|It|One|Those|Nobody|Of)\b(?!['’]s)/;

/** The first line of every comment; `//` lines that follow each other are one comment. */
const beginning =
  /(?<=^|[\s;,({[])\/\*\*?\s*(?:\*\s*)?(?<block>\S.*)|(?<!^[ \t]*\/\/.*\n[ \t]*)(?<=^|[ \t])\/\/ (?<line>\S.*)/gm;

const beginnings = (code: string): string[] =>
  [...code.matchAll(beginning)].map(({ groups = {} }) => (groups["block"] ?? groups["line"] ?? "").trim());

const sources = ["src", "test", "scripts", "bench"]
  .flatMap(files)
  .filter((file) => /\.[jt]sx?$/.test(file) && !/\/fixtures?\//.test(file));

test(`at most ${mostPercent} % of the comments begin without a subject`, () => {
  const comments = sources.flatMap((file) => beginnings(read(file)).map((text) => ({ file, text })));
  const wrong = comments.filter(({ text }) => noSubject.test(text)).map(({ file, text }) => `${file}: ${text}`);
  expect(comments.length).toBeGreaterThan(1_000);
  const most = (comments.length * mostPercent) / 100;
  expect(wrong.length > most ? wrong : []).toEqual([]);
});

describe("the beginning of a comment", () => {
  test.each([
    ["/** Reads it. */\nconst a = 1; // What was read.\n", ["Reads it. */", "What was read."]],
    ["/**\n * What it is.\n * More.\n */", ["What it is."]],
    ["  // One\n  // two\n\n  // three", ["One", "three"]],
    ['const url = "http://x";', []],
  ])("%j", (code, expected) => expect(beginnings(code)).toEqual(expected));
});
