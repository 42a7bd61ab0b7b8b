import { expect, test } from "vitest";
import { look } from "../../../test/support/transcript.ts";
import { highlight } from "../../view/highlight/engine.ts";
import type { Line } from "../line.ts";
import { copyText, plain, rowsOf } from "../wrap.ts";
import type { Look } from "./block.ts";
import { markdownLines, type MarkdownLines } from "./markdown.ts";

const drawn = (text: string, more: Partial<Look> = {}): readonly Line[] =>
  markdownLines(text, { look: look(more), streaming: false }).lines;

const shown = (text: string, width: number): string =>
  `\n${drawn(text, { width })
    .flatMap((line) => rowsOf(line, width).map((row) => plain(row.text)))
    .join("\n")}\n`;

const everything = `# Title

A paragraph with **bold**, \`code\` and [a link](https://example.com/x).
It goes on.\\
After a break.

- one
- two
  1. deep
  2. deeper
- [x] done

> quoted
> more

\`\`\`ts
const a = 1;
\treturn a;
\`\`\`

| name | value |
| --- | ---: |
| first | 1 |
| second | 22 |

---`;

test("draws everything at 80 columns", () => {
  expect(shown(everything, 80)).toMatchInlineSnapshot(`
    "
    Title

    A paragraph with bold, code and a link (https://example.com/x). It goes on.
    After a break.

    • one
    • two
      1. deep
      2. deeper
    ☑ done

    │ quoted more

      ts
      const a = 1;
          return a;

    name   │ value
    ───────┼──────
    first  │     1
    second │    22

    ────────────────────────────────────────
    "
  `);
});

test("draws everything at 20 columns", () => {
  expect(shown(everything, 20)).toMatchInlineSnapshot(`
    "
    Title

    A paragraph with
    bold, code and a
    link
    (https://example.com
    /x). It goes on.
    After a break.

    • one
    • two
      1. deep
      2. deeper
    ☑ done

    │ quoted more

      ts
      const a = 1;
          return a;

    name   │ value
    ───────┼──────
    first  │     1
    second │    22

    ────────────────────
    "
  `);
});

test("keeps a paragraph of 200 columns as one line, also at width 1", () => {
  const text = "word ".repeat(60).trim();
  expect(drawn(text)).toHaveLength(1);
  expect(shown(text, 200).trim().split("\n")).toHaveLength(2);
  expect(shown("ab c", 1)).toBe("\na\nb\nc\n");
});

test("breaks a table that is too wide within its cells", () => {
  const table = `| what | why |\n|---|---|\n| short | ${"a long reason ".repeat(4)} |`;
  expect(shown(table, 40)).toMatchInlineSnapshot(`
    "
    what  │ why                             
    ──────┼─────────────────────────────────
    short │ a long reason a long reason a   
          │ long reason a long reason       
    "
  `);
});

test("draws a table without room for its columns as a list", () => {
  const table = "| first | second | third |\n|---|---|---|\n| alpha beta | gamma delta | epsilon |\n| a | b | c |";
  expect(shown(table, 16)).toMatchInlineSnapshot(`
    "
    first: alpha
    beta
    second: gamma
    delta
    third: epsilon

    first: a
    second: b
    third: c
    "
  `);
});

test.each([
  ["a **bold** and `code`", ["a bold and code"]],
  ["one\\\ntwo", ["one", "two"]],
  ["one\ntwo", ["one two"]],
  ["- item", ["item"]],
  ["> quote", ["quote"]],
  ["```\n\tcode  \n```", ["\tcode  "]],
  ["| a | b |\n|---|---|\n| 1 | 2 |", ["| a | b |", "| --- | --- |", "| 1 | 2 |"]],
  ["see <https://example.com>", ["see https://example.com"]],
  ["see [x](https://example.com)", ["see x (https://example.com)"]],
  ["[x](javascript:alert)", ["x (javascript:alert)"]],
])("a copy of %j", (text, copied) => {
  expect(drawn(text).map(copyText)).toEqual(copied);
});

test("colours code if there is a highlighter, and copies it unchanged", () => {
  const [label, line] = drawn("```js\nconst a = 1;\n```", { highlight });
  expect(plain(label!.text)).toBe("js");
  expect(line!.text).toContain("\x1b[38;2;216;160;223mconst\x1b[39m");
  expect(line!.source).toBe("const a = 1;");
});

test("neutralises control sequences", () => {
  const hostile = "a\x1b]0;title\x07b\x1b[2Jc\u202ed\n\n```\x1b[5m\nx\x1b[31my\n```\n\n[l\x1b[1m](https://x.y/\x1b[2J)";
  for (const { text } of drawn(hostile)) expect(plain(text)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
});

/** Feeds a text in pieces, and counts the different line objects. */
function streamed(text: string, size: number): { made: number; last: MarkdownLines } {
  const lines = new Set<Line>();
  let last: MarkdownLines | undefined;
  for (let at = 0; at < text.length; at += size) {
    const piece = text.slice(0, at + size);
    last = markdownLines(piece, { look: look({ highlight }), streaming: true, before: last });
    for (const line of last.lines) lines.add(line);
  }
  last = markdownLines(text, { look: look({ highlight }), streaming: false, before: last });
  for (const line of last.lines) lines.add(line);
  return { made: lines.size, last };
}

const paragraphs = Array.from({ length: 60 }, (_, index) => `Paragraph ${index} with some words in it.`).join("\n\n");
const longCode = `\`\`\`ts\n${Array.from({ length: 120 }, (_, index) => `const a${index} = "${index}";`).join("\n")}\n\`\`\``;
const longList = Array.from({ length: 60 }, (_, index) => `- item ${index}`).join("\n");

test.each([
  ["paragraphs", paragraphs],
  ["code", longCode],
  ["a list", longList],
])("%s: a delta creates new lines only at the end", (_what, text) => {
  const size = 5;
  const deltas = Math.ceil(text.length / size);
  const { made, last } = streamed(text, size);
  // Each delta replaces the last one or two lines, and every line is created once.
  expect(made).toBeLessThan(2 * deltas + 2 * last.lines.length);
});

test.each([
  ["paragraphs", paragraphs],
  ["a list", longList],
  ["everything", everything],
])("%s: streamed text gives the same lines as the complete text", (_what, text) => {
  expect(streamed(text, 7).last.lines).toEqual(
    markdownLines(text, { look: look({ highlight }), streaming: false }).lines,
  );
});

test("keeps settled lines unchanged", () => {
  const text = `${paragraphs}\n\n${everything}\n\n${longCode}\n\nThe end.`;
  let before: MarkdownLines | undefined;
  for (let at = 0; at <= text.length; at += 11) {
    const now: MarkdownLines = markdownLines(text.slice(0, at), { look: look(), streaming: true, before });
    if (before !== undefined)
      for (let line = 0; line < before.settledLines; line++) expect(now.lines[line]).toBe(before.lines[line]);
    before = now;
  }
  expect(before!.settledLines).toBeGreaterThan(120);
});
