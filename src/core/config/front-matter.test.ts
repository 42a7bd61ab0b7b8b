import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { parseFrontMatter } from "./front-matter.ts";

const file = `---
# who it is
name: Reviewer
description: "Looks: and says" # with a comment
count: 3
deep: true
quoted: 'it''s # fine'
flow: [read, "a, b", 2]
empty: []
block:
  - one
  - "two # three"

bare:
- four
tools:
  allowed: [read]
  disallowed:
    - shell
    - web_fetch
---

# You review.

---
Not the end.
`;

test("parses text, numbers, lists and maps with their lines, and the body", async () => {
  const { values, body, lineOf } = await parseFrontMatter(file);
  expect(values).toEqual({
    name: "Reviewer",
    description: "Looks: and says",
    count: 3,
    deep: true,
    quoted: "it's # fine",
    flow: ["read", "a, b", 2],
    empty: [],
    block: ["one", "two # three"],
    bare: ["four"],
    tools: { allowed: ["read"], disallowed: ["shell", "web_fetch"] },
  });
  expect(body).toBe("# You review.\n\n---\nNot the end.");
  expect(
    [["name"], ["tools", "disallowed"], ["tools", "disallowed", 1], ["block", 0]].map((path) => lineOf(path)),
  ).toEqual([3, 18, 20, 11]);
});

/** Text after `a: `, and its value according to YAML 1.2. */
const scalars: readonly (readonly [string, unknown])[] = [
  ["3", 3],
  ["-3.5", -3.5],
  ["1e3", 1000],
  ["0.1e-5", 0.000_001],
  ["0x10", 16],
  ["0o7", 7],
  ["010", 10],
  ["00", 0],
  ["+1", 1],
  [".5", 0.5],
  ["1.", 1],
  [".inf", Infinity],
  ["-.INF", -Infinity],
  [".nan", NaN],
  ["0b1", "0b1"],
  ["1_000", "1_000"],
  ["0x", "0x"],
  ["12:30", "12:30"],
  ["2026-11-17", "2026-11-17"],
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["tRUE", "tRUE"],
  ["False", false],
  ["yes", "yes"],
  ["on", "on"],
  ["null", null],
  ["~", null],
  ["", null],
  ["'null'", "null"],
  ["'1'", "1"],
  ['"true"', "true"],
  ["!!str 1", "1"],
  ["a#b", "a#b"],
  ["a # b", "a"],
  ["it's fine # really", "it's fine"],
  ["'it''s # fine' # really", "it's # fine"],
  [String.raw`"a \" # b" # c`, 'a " # b'],
  [String.raw`"a\tb\u0041\x42"`, "a\tbAB"],
  ['"one\n  two"', "one two"],
  ["one\n  two", "one two"],
  ["|\n  one\n    two\n\n  # three", "one\n  two\n\n# three\n"],
  ["|-\n  one\n", "one"],
  ["|+\n  one\n\n", "one\n\n\n"],
  ["|2\n   one", " one\n"],
  [">\n  one\n  two\n\n  three", "one two\nthree\n"],
  [">-\n  one\n  two", "one two"],
  ["|\n  ---\n  one", "---\none\n"],
  [`["a # b", 'c # d', e] # f`, ["a # b", "c # d", "e"]],
  ['[read, "a, b", 2,]', ["read", "a, b", 2]],
  ["[one,\n  two]", ["one", "two"]],
  ["[a, [b]]", ["a", ["b"]]],
  ["[~]", [null]],
  ["{b: c, d: [e], 'f': 1}", { b: "c", d: ["e"], f: 1 }],
  ["\n  b:\n    c:\n      d: 1", { b: { c: { d: 1 } } }],
  ["\n- b\n- c: d\n  e: f", ["b", { c: "d", e: "f" }]],
  ["über 日本", "über 日本"],
  [`x${'"\\'.repeat(30_000)}`, `x${'"\\'.repeat(30_000)}`],
];

test.each(scalars)("parses a: %j as YAML 1.2", async (text, value) => {
  const { values } = await parseFrontMatter(`---\na: ${text}\n---`);
  expect(values).toEqual({ a: value });
});

test.each([
  ["\uFEFF---\r\nname: x\r\nb: |\r\n  y\r\n---\r\nHello\r\n", { name: "x", b: "y\n" }],
  ["---  \nname: x\n---\t\nHello", { name: "x" }],
  ["---\n---\nHello", {}],
  ["---\n# only this\n\n---\nHello", {}],
  ["---\n a: 1\n b: 2\n---\nHello", { a: 1, b: 2 }],
  ["---\n\"a b\": 1\n'c': 2\n1: 3\ntrue: 4\n---\nHello", { "a b": 1, c: 2, "1": 3, true: 4 }],
  ["---\n? a\n: b\n---\nHello", { a: "b" }],
  ["---\n<<: {a: 1}\n---\nHello", { "<<": { a: 1 } }],
  ["---\na: 1\n...\n---\nHello", { a: 1 }],
])("parses %j into values and a body", async (text, values) => {
  expect(await parseFrontMatter(text)).toMatchObject({ values, body: "Hello" });
});

test.each([
  ["Just text.", "it has no front matter: it must begin with a line `---`."],
  ["", "it has no front matter"],
  ["name: x\n---", "it has no front matter"],
  ["---\nname: x\n", "its front matter does not end: a second line `---` is missing."],
  ["---\nname: x\n  ---\n", "its front matter does not end"],
  ["---\nname x\n---", "line 2: it is not `key: value`."],
  ["---\nname:x\n---", "line 2: it is not `key: value`."],
  ["---\n\n- a\n---", "line 3: it is not `key: value`."],
  ["---\na: b: c\n---", "line 2: nested mappings are not allowed in compact mappings."],
  ["---\na: -\n---", "line 2: unexpected"],
  ["---\na: [b\n---", "line 2: flow sequence"],
  ["---\na: {b: 1\n---", "line 2: flow map"],
  ['---\na: "b\n---', 'line 2: missing closing "quote.'],
  ["---\na: 'b' c\n---", "line 2: unexpected scalar at node end."],
  [String.raw`---${"\n"}a: "\q"${"\n"}---`, "line 2: invalid escape sequence"],
  ["---\na: @b\n---", "line 2: plain value cannot start with reserved character @."],
  ["---\na: %b\n---", "line 2: plain value cannot start with"],
  ["---\na: 1\n  b: 2\n---", "line 2: nested mappings"],
  ["---\n a: 1\nb: 2\n---", "line 3: "],
  ["---\na:\n\tb: 1\n---", "line 3: it is indented with a tab; use spaces."],
  ["---\na:\n  - b\n  c: d\n---", "line 4: all mapping items must start at the same column."],
  ["---\na: 1\na: 2\n---", "line 3: a occurs twice."],
  ["---\na: {b: 1,\n  'b': 2}\n---", "line 3: b occurs twice."],
  ["---\n[a]: b\n---", "line 2: a key must be text."],
  ["---\na: !custom b\n---", "line 2: unresolved tag"],
  ["---\na: !!binary aGk=\n---", "line 2: unresolved tag"],
  ["---\na: 1\n...\nb: 2\n---", "line 4: text follows the end marker"],
  ["---\n%YAML 1.1\n---", "line 2: missing directives-end indicator line."],
  ["---\na: *b\n---", "line 2: anchors and aliases (*b) are not supported; write the value out."],
  ["---\na: &b 1\n---", "line 2: anchors and aliases (&b) are not supported"],
  ["---\na: 1\nb: &c [1]\nd: *c\n---", "line 3: anchors and aliases (&c)"],
])("refuses %j: %s", (text, why) => expect(parseFrontMatter(text)).rejects.toThrow(why));

const bomb = Array.from({ length: 20 }, (_, level) => `a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`);

test.each([
  ["an alias bomb", `a-1: &a-1 x\n${bomb.join("\n")}`, "anchors and aliases"],
  ["deep lists", `a: ${"[".repeat(20_000)}`, "line 2: it is nested too deeply."],
  ["deep maps", `a: ${"{a: ".repeat(10_000)}`, "line 2: it is nested too deeply."],
  ["deep keys", "? ".repeat(20_000), "line 2: it is nested too deeply."],
  ["more than 64 kilobytes", `a: ${"x".repeat(64_000)}`, "its front matter is larger than 64 kilobytes."],
])("refuses %s", (_, head, why) => expect(parseFrontMatter(`---\n${head}\n---`)).rejects.toThrow(why));

test("parses five thousand keys with their lines", async () => {
  const keys = Array.from({ length: 5_000 }, (_, index) => `k${index}: v`);
  const { values, lineOf } = await parseFrontMatter(`---\n${keys.join("\n")}\n---`);
  expect(Object.keys(values)).toHaveLength(5_000);
  expect(lineOf(["k4999"])).toBe(5_001);
});

test.each(["__proto__: {x: 1}", "a: {__proto__: {x: 1}}", "constructor: {prototype: {x: 1}}"])(
  "%s: treats a key of Object.prototype like any other",
  async (head) => {
    const { values } = await parseFrontMatter(`---\n${head}\n---`);
    expect(JSON.stringify(values)).toBe(
      head.replaceAll(/\w+/g, '"$&"').replace('"1"', "1").replaceAll(" ", "").replace(/.*/, "{$&}"),
    );
    expect(({} as { x?: unknown }).x).toBeUndefined();
  },
);

test("always ends with values or one sentence", async () => {
  const line = fc.oneof(
    fc.constantFrom(
      "---",
      "a:",
      "  - b",
      "- c",
      "  d: e",
      "f: [g, h]",
      'i: "j',
      "k: 'l'",
      "#m",
      "",
      "\t",
      "  n:",
      "    - o",
    ),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
      try {
        expect((await parseFrontMatter(["---", ...lines].join("\n"))).values).toBeTypeOf("object");
      } catch (thrown) {
        expect((thrown as Error).message).toMatch(/^(?:line \d+: |it has|its front).+\.$/s);
      }
    }),
  );
});
