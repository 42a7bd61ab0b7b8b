/** Exports: the page must never contain markup that the exporter did not write. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fc } from "../../test/support/fast-check.ts";
import { history, stamp } from "../../test/support/histories.ts";
import { reinsEventSchema } from "../events/schema/index.ts";
import type { EventPayload, ReinsEvent } from "../events/types.ts";
import { style, styleDigest } from "./export-html-style.ts";
import { markdownHtml } from "./export-html.ts";
import { exportSession, type ExportOptions } from "./export.ts";

async function exported(events: readonly ReinsEvent[], options: ExportOptions): Promise<string> {
  const half = Math.floor(events.length / 2);
  const batches = async function* () {
    yield events.slice(0, half);
    yield events.slice(half);
  };
  let whole = "";
  for await (const piece of exportSession(batches(), options)) whole += piece;
  return whole;
}

const html = (events: readonly ReinsEvent[], more: Partial<ExportOptions> = {}) =>
  exported(events, { format: "html", ...more });

/** Every tag that the page may contain, with its allowed attributes. */
const ours: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    "html head title style body main header footer h1 h3 h4 h5 h6 dl dt dd section div p span bdi time a ul ol li strong em del code pre blockquote hr br table thead tbody tr th td details summary img meta"
      .split(" ")
      .map((name) => [name, ["class", "dir"]]),
  ),
  a: ["href", "title", "rel"],
  details: ["class", "open"],
  section: ["id"],
  time: ["datetime"],
  ol: ["start"],
  img: ["alt", "src"],
  html: ["lang"],
  meta: ["charset", "http-equiv", "name", "content"],
};
const empty = new Set(["meta", "img", "hr", "br"]);

/** Parses the page strictly: only known tags, closed in order, and nothing that runs or loads. */
function expectOurs(page: string): void {
  const wrong: string[] = [];
  const open: string[] = [];
  const body = page.replace(/^<!doctype html>\n/, "").replace(style, "");
  for (const [tag, close, name = "", attributes = ""] of body.matchAll(/<(\/?)([a-z0-9]*)((?:[^>"]|"[^"]*")*)>?/g)) {
    const may = ours[name];
    const closes = close === "/" ? open.pop() === name : empty.has(name) || open.push(name) > 0;
    if (may === undefined || !closes || !tag.endsWith(">")) wrong.push(tag);
    for (const [, attribute = "", value = ""] of attributes.matchAll(/([^\s="]+)(?:="([^"]*)")?/g))
      if (may?.includes(attribute) !== true || acts(attribute, value)) wrong.push(tag);
  }
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(body))
    wrong.push("a control character");
  expect([...wrong, ...open]).toEqual([]);
}

function acts(attribute: string, value: string): boolean {
  if (attribute === "href") return !/^(https?:\/\/|mailto:|#turn-\d+$)/.test(value);
  return attribute === "src" && !/^data:image\/(png|jpeg|gif|webp);base64,[\w+/]+=*$/.test(value);
}

const hostile = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "</style><script>alert(1)</script>",
  "[click](javascript:alert(1))",
  "[click](JaVaScRiPt:alert(1)) [x](data:text/html,<b>) [y](vbscript:x) [z](java\u0000script:alert(1))",
  '[a](https://x.test/"onclick="alert(1)) ![i](http://x.test/p.png)',
  "https://x.test/<svg/onload=alert(1)>",
  "`</code><script>` ```\n<script>\n```",
  "\u202Egnp.exe\u202C \u2066x\u2069 \u200f",
  "\u001b[31mred\u001b]8;;javascript:alert(1)\u0007link\u001b]8;;\u0007 \u009b2J",
  "<!-- <!doctype> --> <![CDATA[ ]]> &lt;b&gt; &#60;b&#62;",
  "| a | b |\n|---|---|\n| <b> | `x|y` |",
  "> > > > > > > > - 1. - deep\n\n***\n# <h1>\n- [ ] <i>\n  1. <u>",
  "x".repeat(40_000),
  "*".repeat(3000) + "[".repeat(3000) + "`".repeat(3000) + "_a ".repeat(3000),
];

/** Events that carry the same text in every field a person, an agent or a tool can fill. */
function everywhere(text: string): ReinsEvent[] {
  const call = { callId: "c", tool: "edit", nativeName: text, kind: "edit" } as const;
  const turn: EventPayload[] = [
    {
      type: "turn.started",
      origin: "prompt",
      input: { text, attachments: [{ kind: "file", name: text }] },
    },
    { type: "thought.completed", messageId: "t", text },
    {
      type: "message.completed",
      messageId: "m",
      text,
      content: [
        { type: "image", mediaType: "image/svg+xml", data: "PHN2Zz4=" },
        { type: "image", mediaType: "image/png", data: `AAAA" onerror="x` },
        { type: "image", mediaType: "image/png", data: "AAAA" },
        { type: "resource", uri: text, text },
        { type: "diff", path: text, diff: text },
      ],
    },
    { type: "tool.started", ...call, title: text, input: { [text]: text, command: text } },
    { type: "tool.completed", callId: "c", output: { text, bytes: 1, kept: 1 } },
    {
      type: "file.changed",
      path: text,
      op: "modify",
      diff: `--- a\n+++ b\n@@ -1 +1 @@\n-${text}\n+${text}`,
      callId: "c",
    },
    { type: "tool.started", ...call, callId: "d", title: text, input: [text] },
    { type: "tool.failed", callId: "d", error: { message: text }, reason: "error" },
    { type: "plan.updated", entries: [{ text, status: "in_progress" }] },
    { type: "input.added", text, how: "steer", attachments: [{ kind: "image", name: text }] },
    { type: "notice", level: "error", code: text, message: text },
    {
      type: "permission.requested",
      requestId: "r",
      callId: "d",
      tool: "edit",
      title: text,
      input: text,
      options: [],
    },
    { type: "permission.resolved", requestId: "r", outcome: "denied", by: "person", message: text },
    { type: "turn.completed", outcome: "done", text, durationMs: 1, toolCalls: 2, filesChanged: [text] },
  ];
  return stamp([
    { type: "session.started", mode: "ask", cwd: text, model: text, resumed: false },
    { type: "session.updated", title: text, by: "agent" },
    ...turn.map((event) => ({ ...event, turnId: "t" })),
  ]);
}

describe("HTML page", () => {
  it.each(hostile.map((text, index) => [index, text] as const))(
    "contains only its own markup with hostile text %i in every field",
    async (_, text) => {
      expectOurs(await html(everywhere(text), { thoughts: true }));
    },
  );

  it("contains only its own markup with any text", () => {
    const letters = fc.constantFrom(
      ..."<>&\"'`*_~[]()!#->|:\\/ \n\tab1.".split(""),
      "javascript:",
      "https://a.b",
      "\u202e",
      "\u001b[",
    );
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 60 }), (parts) => expectOurs(markdownHtml(parts.join("")))),
      { numRuns: 300 },
    );
  });

  it("contains only its own markup with any session", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (events) => expectOurs(await html(events, { thoughts: true }))),
      { numRuns: 10 },
    );
  });

  it("allows its own style and nothing else", async () => {
    const page = await html(everywhere("x"));
    expect(styleDigest).toBe(`sha256-${createHash("sha256").update(style).digest("base64")}`);
    expect(page).toContain(`default-src 'none'; style-src '${styleDigest}'; img-src data:`);
    expect(page.split("<style>")[1]!.split("</style>")[0]).toBe(style);
    expect(page).not.toMatch(/<script|<link|<iframe| src="(?!data:)|url\(|@import/);
  });

  it("shows messages, folds tool calls and hides thinking", async () => {
    const page = await html(everywhere("some words"));
    expect(page).toContain("<title>some words</title>");
    expect(page).toContain('<div class="said" dir="auto">some words</div>');
    expect(page).toContain("<details><summary>");
    expect(page).toContain('<span class="added">+some words</span>');
    expect(page).not.toContain("Thought");
    expect(await html(everywhere("some words"), { thoughts: true })).toContain("Thought");
  });

  it("is titled by the first prompt when the session has no title", async () => {
    const asked: EventPayload = {
      type: "turn.started",
      origin: "prompt",
      input: { text: `\nfix ${"it ".repeat(60)}\nnow` },
    };
    const page = await html(stamp([{ ...asked, turnId: "t" }]));
    expect(/<title>(.*)<\/title>/.exec(page)![1]).toMatch(/^fix it .*…$/);
    expect(await html([])).toContain("<title>Conversation</title>");
    expect(await html([], { title: "mine" })).toContain("<title>mine</title>");
  });
});

it.each([
  [
    "# A\n\nb *c* **d** ***e*** ~~f~~ `g`",
    '<h3 dir="auto">A</h3>\n<p dir="auto">b <em>c</em> <strong>d</strong> <em><strong>e</strong></em> <del>f</del> <code>g</code></p>\n',
  ],
  ["- a\n  - b\n- c", '<ul><li dir="auto">a<ul><li dir="auto">b</li>\n</ul>\n</li>\n<li dir="auto">c</li>\n</ul>\n'],
  ["3. a\n4. b", '<ol start="3"><li dir="auto">a</li>\n<li dir="auto">b</li>\n</ol>\n'],
  ["```ts\na < b\n```\nc", '<pre><code>a &lt; b</code></pre>\n<p dir="auto">c</p>\n'],
  ["snake_case_name and 2 * 3 * 4", '<p dir="auto">snake_case_name and 2 * 3 * 4</p>\n'],
  [
    "[a](https://b.test/c) [d](src/e.ts)",
    '<p dir="auto"><a href="https://b.test/c" title="https://b.test/c" rel="noopener noreferrer nofollow">a</a> d <span class="quiet">(src/e.ts)</span></p>\n',
  ],
  [
    "see https://b.test/c.",
    '<p dir="auto">see <a href="https://b.test/c" title="https://b.test/c" rel="noopener noreferrer nofollow">https://b.test/c</a>.</p>\n',
  ],
  ["> a\n> b\n\n---", '<blockquote><p dir="auto">a\nb</p>\n</blockquote>\n<hr>\n'],
  ["``` unclosed\n<x>", "<pre><code>&lt;x&gt;</code></pre>\n"],
])("renders Markdown %j", (text, expected) => expect(markdownHtml(text)).toBe(expected));

describe("JSONL", () => {
  it("has the events without the agent's raw messages", async () => {
    const events = everywhere("a\u2028b\u009bc");
    const lines = (
      await exported(
        events.map((event) => ({ ...event, raw: { native: 1 } })),
        { format: "jsonl" },
      )
    ).split("\n");
    expect(lines.pop()).toBe("");
    const read = lines.map((line) => JSON.parse(line) as ReinsEvent);
    expect(read).toEqual(JSON.parse(JSON.stringify(events)));
    for (const event of read) expect(reinsEventSchema.safeParse(event).success).toBe(true);
  });
});

it("renders complete Markdown with all content inside its quotes and fences", async () => {
  const page = await exported(everywhere(Array.from({ length: 50 }, (_, line) => `# line ${line}`).join("\n")), {
    format: "md",
  });
  expect(page).toContain("> # line 49");
  expect(page).not.toContain("more lines");
});
