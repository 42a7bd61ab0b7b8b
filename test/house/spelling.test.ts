import { expect, test } from "vitest";
import { proseOfPage, proseOfSource, wordsOf } from "../../scripts/lib/spelling.ts";
import { read } from "./source.ts";

test("words of a text are those that a dictionary can know", () => {
  const text = "Reads `stdn` from src/view/x.ts, see https://example.invalid/wrng: a half-written README's line --jsn.";
  expect(wordsOf(text)).toEqual(["Reads", "from", "see", "half", "written", "line"]);
  expect(wordsOf("{count} files weren’t createdAt 3rd “done”")).toEqual(["files", "weren't", "done"]);
});

test("the prose of a page is what is not code", () => {
  expect(proseOfPage("# Title\n\nText `code` more.\n\n```sh\nnpm ci\n```\n\n| a |\n| --- |\n| cell |\n")).toEqual([
    { line: 1, text: "Title" },
    { line: 3, text: "Text " },
    { line: 3, text: " more." },
    { line: 9, text: "a" },
    { line: 11, text: "cell" },
  ]);
});

test("the prose of a source file is its comments and what users see", () => {
  const code = '/** Says it. */\nsay("Type a prompt.");\n// One\n// comment\nlet x = 1; /* other */\n';
  const texts = proseOfSource("src/a.ts", code).map(({ line, text }) => `${line}: ${text}`);
  expect(texts).toEqual(["1: Says it.", "3: One\ncomment", "5: other", "2: Type a prompt."]);
});

test("the project's own words are in order, once each", () => {
  const words = read("scripts/spelling-words.txt").trimEnd().split("\n");
  const order = (a: string, b: string) => a.toLowerCase().localeCompare(b.toLowerCase(), "en");
  expect(words).toEqual([...new Set(words)].sort(order));
});
