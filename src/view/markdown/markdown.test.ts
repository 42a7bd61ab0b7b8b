import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markdownDocument } from "./document.ts";
import type { Block, Inline } from "./nodes.ts";

/** Writes nodes in a short form that is easy to compare and read. */
function said(blocks: readonly Block[]): string {
  return blocks.map(block).join(" ");
}

function block(node: Block): string {
  switch (node.kind) {
    case "paragraph":
      return `p(${inline(node.children)})`;
    case "heading":
      return `h${node.level}(${inline(node.children)})`;
    case "code":
      return `${node.open ? "open" : "code"}[${node.language}](${node.text})`;
    case "quote":
      return `quote(${said(node.blocks)})`;
    case "list": {
      const items = node.items.map(({ checked, blocks }) => {
        const box = checked === undefined ? "" : checked ? "[x]" : "[ ]";
        return `${box}${said(blocks)}`;
      });
      return `${node.start === undefined ? "ul" : `ol${node.start}`}${node.loose ? "~" : ""}(${items.join(", ")})`;
    }
    case "table": {
      const rows = [node.head, ...node.rows].map((cells) => cells.map(inline).join("|"));
      return `table<${node.align.map((align) => align ?? "-").join("|")}>(${rows.join(" / ")})`;
    }
    case "rule":
      return "rule";
  }
}

function inline(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      switch (node.kind) {
        case "text":
          return node.text;
        case "code":
          return `\`${node.text}\``;
        case "break":
          return "⏎";
        case "link":
          return `link<${node.href ?? `no: ${node.target}`}>(${inline(node.children)})`;
        default:
          return `${node.kind}(${inline(node.children)})`;
      }
    })
    .join("");
}

const parsed = (text: string) => said(markdownDocument(text).blocks);
const streamed = (text: string) => said(markdownDocument(text, { streaming: true }).blocks);

describe("blocks", () => {
  it.each([
    ["# A #\n### b c##\n#d", "h1(A) h3(b c##) p(#d)"],
    ["a\nb\n\nc  \nd\\\ne", "p(a\nb) p(c⏎d⏎e)"],
    ["- a\n  - b\n    - c\n- d", "ul(p(a) ul(p(b) ul(p(c))), p(d))"],
    ["3. a\n4. b\n\n1) c", "ol3(p(a), p(b)) ol1(p(c))"],
    ["1. a\n  - b\n2. c", "ol1(p(a)) ul(p(b)) ol2(p(c))"],
    ["- a\n\n- b", "ul~(p(a), p(b))"],
    ["- a\nlazy\n\nafter", "ul(p(a\nlazy)) p(after)"],
    ["- [ ] a\n- [x] b\n- [y] c", "ul([ ]p(a), [x]p(b), p([y] c))"],
    ["1. a\n\n   ```ts\n   x\n\n     y\n   ```\n2. b", "ol1~(p(a) code[ts](x\n\n  y), p(b))"],
    ["| a | b |\n|:-:|--:|\n| 1 | `2\\|3` | 4 |\nx\n\ny", "table<center|right>(a|b / 1|`2|3` / x|) p(y)"],
    ["> a\n> - b\n>\n> c\nd", "quote(p(a) ul(p(b)) p(c\nd))"],
    ["```ts title=x\na\n```\n~~~\n```\n~~~", "code[ts](a) code[](```)"],
    ["```\na\n\n- b", "open[](a\n\n- b)"],
    ["---\n* * *\n- - -\n--", "rule rule rule p(--)"],
    ["\tx\n-\ty", "code[](x) ul(p(y))"],
    ["in\n2024. It was", "p(in\n2024. It was)"],
    ["<script>alert(1)</script>\n<b>x</b> <!-- y -->", "p(<script>alert(1)</script>\n<b>x</b> <!-- y -->)"],
    ["a\u001b[31mred\u001b[0m\u202eb", "p(aredb)"],
  ])("%j", (text, expected) => expect(parsed(text)).toBe(expected));
});

describe("inlines", () => {
  it.each([
    ["*a* **b** ***c*** ~~d~~ _e_ __f__ `g`", "em(a) strong(b) em(strong(c)) del(d) em(e) strong(f) `g`"],
    ["*a **b** c* **d *e***", "em(a strong(b) c) strong(d em(e))"],
    ["snake_case_name 2 * 3 * 4 a ~ b *a**b*", "snake_case_name 2 * 3 * 4 a ~ b em(a**b)"],
    ["**a *b", "**a *b"],
    ["``a ` b`` ` c ` `open", "`a ` b` `c` `open"],
    ["\\*a\\* \\a &lt;b&gt; &x;", "*a* \\a <b> &x;"],
    ["[a *b*](https://c.test/d(e)) [f](g.ts)", "link<https://c.test/d(e)>(a em(b)) link<no: g.ts>(f)"],
    [
      "[x](javascript:alert(1)) [y](data:text/html,z)",
      "link<no: javascript:alert(1)>(x) link<no: data:text/html,z>(y)",
    ],
    [
      "see https://a.test/b_c_d. (http://e.test)",
      "see link<https://a.test/b_c_d>(https://a.test/b_c_d). (link<http://e.test>(http://e.test))",
    ],
    ["<https://a.test> <b@c.test>", "link<https://a.test>(https://a.test) link<mailto:b@c.test>(b@c.test)"],
    [
      "![alt](https://a.test/b.png) [![c](d)](https://e.test)",
      "link<https://a.test/b.png>(alt) link<https://e.test>(c)",
    ],
    ["[a] [b [c]](https://d.test) ]", "[a] link<https://d.test>(b [c]) ]"],
    ["a<br>b", "a⏎b"],
  ])("%j", (text, expected) => expect(parsed(text)).toBe(`p(${expected})`));
});

describe("streaming", () => {
  it.each([
    ["**bo", "p(strong(bo))"],
    ["**bold*", "p(strong(bold))"],
    ["**bold**", "p(strong(bold))"],
    ["a *b **c", "p(a em(b strong(c)))"],
    ["f(*args", "p(f(*args)"],
    ["a `co", "p(a `co`)"],
    ["see [lab", "p(see lab)"],
    ["see [lab](htt", "p(see lab)"],
    ["a\n-", "p(a)"],
    ["**a\n", "p(strong(a))"],
    ["a\n\n#", "p(a)"],
    ["1. a\n2", "ol1(p(a))"],
    ["- [ ", ""],
    ["- a\n  - **b", "ul(p(a) ul(p(strong(b))))"],
    ["```ts\na\n``", "open[ts](a)"],
    ["```ts\na\n-", "open[ts](a\n-)"],
    ["| a | b |", "table<-|->(a|b)"],
    ["| a | b |\n|--", "table<-|->(a|b)"],
    ["> **q", "quote(p(strong(q)))"],
  ])("%j", (text, expected) => expect(streamed(text)).toBe(expected));

  const sample = [
    "# Title\n\nSome *text* with `code` and [a link](https://a.test/b).\n\n",
    "- one\n- two\n  1. deep **er**\n\n* * *\n* * * x\n\n```js\nconst a = 1;\n```\n",
    "text\n---\nmore\n---a\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quote\n> - [x] done\n\nend https://c.test",
  ].join("");

  it("gives the same result letter by letter as all at once", () => {
    let before = markdownDocument("", { streaming: true });
    for (let end = 1; end <= sample.length; end++) {
      const text = sample.slice(0, end);
      before = markdownDocument(text, { streaming: true, before });
      expect(before.blocks).toEqual(markdownDocument(text, { streaming: true }).blocks);
    }
    const last = markdownDocument(sample, { before });
    expect(last.blocks).toEqual(markdownDocument(sample).blocks);
    expect(last.blocks.filter((node, index) => node === before.blocks[index]).length).toBe(before.settled);
    expect(before.settled).toBeGreaterThan(8);
  });

  it("gives the same result in pieces as all at once, for any text", () => {
    const piece = fc.constantFrom(
      ..."*_`~[]()!#->|:\\ \n\n\nab1.='<".split(""),
      "```\n",
      "- ",
      "  ",
      "1. ",
      "| a |\n|-|\n",
      "[a]: /u\n",
      "[a]",
      "    ",
      "\t",
      "\n===\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        let text = "";
        let before = markdownDocument("", { streaming: true });
        for (const next of pieces) before = markdownDocument((text += next), { streaming: true, before });
        expect(said(markdownDocument(text, { before }).blocks)).toBe(parsed(text));
      }),
      { numRuns: 300, seed: Number(process.env["REINS_TEST_SEED"] ?? 6) },
    );
  });

  it("uses a link definition that comes later", () => {
    let before = markdownDocument("", { streaming: true });
    const text = "[a]\n\nb\n\nc\n\n[a]: https://d.test\n\n[a]";
    for (let end = 1; end <= text.length; end++)
      before = markdownDocument(text.slice(0, end), { streaming: true, before });
    const link = "p(link<https://d.test>(a))";
    expect(said(markdownDocument(text, { before }).blocks)).toBe(`${link} p(b) p(c) ${link}`);
  });

  it("starts again when the text is not a continuation", () => {
    const before = markdownDocument("# a\n\nb\n\nc", { streaming: true });
    expect(said(markdownDocument("other\n\nwords", { before }).blocks)).toBe("p(other) p(words)");
  });
});

describe("hostile text", () => {
  const many = 300_000;
  const texts = {
    brackets: "[".repeat(many),
    links: "[a](b[".repeat(many / 6),
    nested: "[".repeat(many / 2) + "](a)".repeat(many / 8),
    emphasis: "*a **b ".repeat(many / 8),
    stars: "*".repeat(many),
    ticks: Array.from({ length: 700 }, (_, run) => "`".repeat(run)).join("a"),
    quotes: "> ".repeat(many / 2),
    items: "- ".repeat(many / 2),
    deep: Array.from({ length: 600 }, (_, indent) => `${" ".repeat(indent)}- a`).join("\n"),
    rows: `|a|b|\n|-|-|\n${"|a|b|\n".repeat(many / 6)}`,
    cells: `${"|".repeat(many)}\n${"|-".repeat(many / 2)}`,
    hashes: `# ${" #".repeat(many / 2)}x`,
    spaces: `${" ".repeat(many)}x`,
    empty: `- a\n${"\n".repeat(many)}`,
    dashes: `${"-".repeat(many)}x`,
    definitions: "[a]: b\n".repeat(20_000),
    ...Object.fromEntries(
      ["> ", "- > ", "*_a", "[", "![", "[a][", "[a](<", "_a_*", "~~a", "`a``", "<https://", "a***a"].map((piece) => [
        `20 kB of ${piece}`,
        piece.repeat(20_000 / piece.length),
      ]),
    ),
  };

  // No timer: a parser that is not linear would take minutes here and exceed the test's timeout.
  it.each(Object.entries(texts))("reads %s in linear time with few nodes", (_, text) => {
    for (const streaming of [false, true]) {
      const { blocks } = markdownDocument(text, { streaming });
      expect(count(blocks)).toBeLessThan(45_000);
    }
  });

  it.each(["> ", "- ", "1. ", "> - "])("shows %j as text when nested too deep", (mark) => {
    expect(parsed(`${mark.repeat(60)}the end`)).toContain("the end");
    expect(streamed(`${mark.repeat(60)}the end`)).toContain("the end");
  });

  it("shows the rest as text when there are too many nodes", () => {
    const texts = {
      list: "- a\n".repeat(30_000),
      table: `|a|\n|-|\n${"|b|\n".repeat(30_000)}`,
      paragraphs: "a\n\n".repeat(30_000),
    };
    for (const text of Object.values(texts)) expect(parsed(`${text}the end`)).toContain("the end");
  });

  function count(node: unknown): number {
    if (Array.isArray(node)) return node.reduce<number>((sum, inner) => sum + count(inner), 0);
    if (typeof node !== "object" || node === null) return 0;
    return 1 + Object.values(node).reduce<number>((sum, inner) => sum + count(inner), 0);
  }
});
