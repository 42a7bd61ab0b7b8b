import { expect, test } from "vitest";
import { fc } from "../../test/support/fast-check.ts";
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

test("has text, numbers, lists and maps, each with its line; the rest is the body", () => {
  const { values, body, lineOf } = parseFrontMatter(file);
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

test("Windows' line ends, a mark of an editor, and nothing in it are nothing wrong", () => {
  expect(parseFrontMatter("\uFEFF---\r\nname: x\r\n---\r\nHello\r\n")).toMatchObject({
    values: { name: "x" },
    body: "Hello",
  });
  expect(parseFrontMatter("---\n---")).toMatchObject({ values: {}, body: "" });
});

test.each([
  ["Just text.", "it has no front matter: it must begin with a line `---`."],
  ["", "it has no front matter"],
  ["---\nname: x\n", "its front matter does not end"],
  ["---\nname x\n---", "line 2: it is not `key: value`."],
  ["---\nname:\nagent: y\n---", "line 2: name has no value."],
  ["---\nname:x\n---", "line 2: it is not `key: value`."],
  ["---\na: b: c\n---", "line 2: text with signs that mean something to YAML needs quotes."],
  ["---\na: |\n  text\n---", "line 2: text with signs"],
  ["---\na: *b\n---", "line 2: text with signs"],
  ["---\na: {b: c}\n---", "line 2: text with signs"],
  ["---\na: [b\n---", "line 2: a list that begins with `[` must end with `]`"],
  ['---\na: "b\n---', "line 2: a quote is not closed"],
  ["---\na: 'b' c\n---", "line 2: a quote is not closed, or something follows it."],
  ["---\na: 1\n  b: 2\n---", "line 3: it is indented, and nothing above it has anything inside."],
  ["---\na:\n\tb: 1\n---", "line 3: it is indented with a tab; use spaces."],
  ["---\na:\n  b:\n    c: 1\n---", "a map inside a map inside a map is not understood here."],
  ["---\na: 1\na: 2\n---", "line 3: a stands there twice."],
  ["---\na: null\n---", "line 2: there is no null here; leave the key out, or use quotes."],
  ["---\na: [~]\n---", "line 2: there is no null here"],
  ["---\na:\n  - b\n  c: d\n---", "line 4:"],
])("%j is refused: %s", (text, why) => expect(() => parseFrontMatter(text)).toThrow(why));

test.each([
  ["it's fine # really", "it's fine"],
  ["'it''s # fine' # really", "it's # fine"],
  [String.raw`"a \" # b" # c`, 'a " # b'],
  [`["a # b", 'c # d', e] # f`, ["a # b", "c # d", "e"]],
  ["a#b", "a#b"],
])("what is a comment in %s", (text, value) =>
  expect(parseFrontMatter(`---\na: ${text}\n---`).values["a"]).toEqual(value),
);

test("a line of nothing but quotes is read once", () => {
  const { values } = parseFrontMatter(`---\na: x${'"\\'.repeat(50_000)}\n---`);
  expect(values["a"]).toHaveLength(100_001);
});

test("a key of every object is a key like others", () => {
  const { values } = parseFrontMatter("---\n__proto__: x\n---");
  expect(Object.keys(values)).toEqual(["__proto__"]);
});

test("whatever comes, it ends with values or with one sentence", () => {
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
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      try {
        expect(parseFrontMatter(["---", ...lines].join("\n")).values).toBeTypeOf("object");
      } catch (thrown) {
        expect((thrown as Error).message).toMatch(/^(?:line \d+: |it has|its front).+\.$/s);
      }
    }),
  );
});
