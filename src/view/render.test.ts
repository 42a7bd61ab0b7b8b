import { fc } from "../../test/support/fast-check.ts";
import { describe, expect, it } from "vitest";
import { asksToEdit } from "../../test/support/payloads.ts";
import { history, stamp } from "../../test/support/histories.ts";
import type { EventPayload, ReinsEvent } from "../events/types.ts";
import { codeSpan, fence } from "./fence.ts";
import {
  conversation,
  eventLine,
  markdown,
  oneLine,
  plainText,
  printable,
  type RenderOptions,
  stripAnsi,
} from "./index.ts";

const error = { code: "network", message: "The line\nis dead.", retryable: true } as const;
const tool: EventPayload = {
  type: "tool.started",
  callId: "c",
  tool: "task",
  nativeName: "T",
  kind: "think",
  title: "Task: look",
  input: {},
};
const turn: readonly EventPayload[] = [
  {
    type: "turn.started",
    origin: "prompt",
    input: { text: "fix it\nplease", attachments: [{ kind: "file", name: "a.png" }] },
  },
  { type: "thought.completed", messageId: "t", text: "Hm." },
  { type: "message.completed", messageId: "m", text: "I shall.\n\n```js\nopen" },
  tool,
  { type: "message.completed", messageId: "n", text: "inside", parent: "c" },
  { type: "tool.completed", callId: "c", output: { text: "1\n2\n3\n", bytes: 6, kept: 6 }, exitCode: 1 },
  { type: "file.changed", path: "a.ts", op: "modify", added: 1, removed: 2, callId: "c", diff: "-a\n+```" },
  { type: "file.changed", path: "b", op: "move", oldPath: "c" },
  {
    type: "plan.updated",
    entries: [
      { text: "one", status: "completed" },
      { text: "*two*", status: "in_progress" },
    ],
  },
  { type: "input.added", text: "faster", how: "steer", attachments: [{ kind: "image", name: "b.png" }] },
  {
    type: "turn.completed",
    outcome: "failed",
    error,
    text: "",
    durationMs: 61_500,
    toolCalls: 1,
    filesChanged: ["a.ts"],
    filesChangedIncomplete: true,
    background: ["b"],
    usage: { input: 1, output: 1 },
    costUsd: 0.5,
  },
];
const told = conversation(
  stamp([
    { type: "session.started", mode: "ask", cwd: "/w", resumed: false, model: "m_1" },
    { type: "session.updated", title: "A *title*", by: "agent" },
    ...turn.map((event) => ({ ...event, turnId: "t" })),
  ]),
);

const options: RenderOptions = { thoughts: true, outputLines: 2 };

it("renders plain text", () => {
  expect(plainText(told, options)).toMatchInlineSnapshot(`
    "A *title*

    > fix it
    > please

    · attached: a.png

    │ Hm.

    I shall.

    \`\`\`js
    open

    ✗ Task: look · exit code 1 · 3 lines
      ± changed a.ts (+1 −2)
      1
      2
      … 1 more line

      inside

    ± moved c → b

    · plan: 1 of 2 done, now *two*

    > faster

    · attached: b.png

    ✗ failed after 1 min 1 s · 1 tool call · 1 file changed, maybe more · 1 task still running · $0.5000: The line is dead.
    "
  `);
});

it("renders Markdown", () => {
  expect(markdown(told, options)).toMatchInlineSnapshot(`
    "# A \\*title\\*

    demo · m\\_1 · mode ask · \`/w\`

    ## You

    > fix it
    > please

    Attached: \`a.png\`

    ## demo

    *Thought:*

    > Hm.

    > I shall.
    >
    > \`\`\`js
    > open

    **✗ Task: look · exit code 1 · 3 lines**

    \`\`\`
    1
    2
    … 1 more line
    \`\`\`

    ± changed a.ts (\\+1 −2)

    \`\`\`\`diff
    -a
    +\`\`\`
    \`\`\`\`

    > > inside

    ± moved c → b

    - [x] one
    - [ ] \\*two\\* (now)

    **You:**

    > faster

    Attached: \`b.png\`

    *failed after 1 min 1 s · 1 tool call · 1 file changed, maybe more · 1 task still running · $0.5000: The line is dead.*
    "
  `);
});

it("renders an empty conversation", () => {
  expect(plainText(conversation([]))).toBe("");
  expect(markdown(conversation([]))).toBe("# Conversation\n");
  const silence: EventPayload = { type: "message.completed", messageId: "m", text: " " };
  const empty = conversation(stamp([...turn.slice(0, 1), silence].map((event) => ({ ...event, turnId: "t" }))));
  expect(plainText(empty)).toBe("> fix it\n> please\n\n· attached: a.png\n");
});

describe("fences", () => {
  it.each([
    ["a", "```\na\n```"],
    ["```", "````\n```\n````"],
    ["``` ````` ``", "``````\n``` ````` ``\n``````"],
  ])("hold %j", (text, expected) => expect(fence(text)).toBe(expected));

  it.each([
    ["a", "`a`"],
    ["a`b``c", "```a`b``c```"],
    ["`", "`` ` ``"],
    ["", "`  `"],
  ])("on one line hold %j", (text, expected) => expect(codeSpan(text)).toBe(expected));
});

it.each<[EventPayload, string | undefined]>([
  [{ type: "session.started", mode: "ask", cwd: "/", resumed: false, model: "m" }, "demo · m · mode ask"],
  [{ type: "session.updated", title: "x", by: "agent" }, undefined],
  [
    { type: "session.updated", mode: "full", reset: true, by: "person", reason: "asked" },
    "· mode full · the conversation was reset (by person: asked)",
  ],
  [{ type: "input.added", text: "a\nb", how: "steer" }, "> a b"],
  [
    { type: "input.added", text: "a", how: "queue", attachments: ["x", "y"].map((name) => ({ kind: "file", name })) },
    "> a · attached: x, y",
  ],
  [tool, "● Task: look"],
  [{ ...tool, parent: "p" }, "  ● Task: look"],
  [{ type: "tool.completed", callId: "c", output: { text: "a\nb\n", bytes: 4, kept: 4 } }, "  ✓ 2 lines"],
  [{ type: "tool.completed", callId: "c", output: { text: "", bytes: 0, kept: 0 } }, "  ✓ no output"],
  [{ type: "tool.completed", callId: "c", output: { text: "", bytes: 0, kept: 0 }, exitCode: 2 }, "  ✗ exit code 2"],
  [{ type: "tool.completed", callId: "c", output: { text: "a", bytes: 9, kept: 1 } }, "  ✓ the first 1 of 9 bytes"],
  [{ type: "tool.failed", callId: "c", error: { message: "not now" }, reason: "denied" }, "  ✗ denied: not now"],
  [
    { type: "tool.failed", callId: "c", error: { message: "bad", exitCode: 3 }, reason: "error" },
    "  ✗ failed: bad · exit code 3",
  ],
  [{ type: "file.changed", path: "a", op: "create" }, "  ± created a"],
  [
    { type: "task.started", taskId: "b", kind: "shell", title: "Watch", status: "running" },
    "◌ background Watch: running",
  ],
  [
    { type: "task.started", taskId: "c", callId: "1", kind: "subagent", title: "Look", status: "running" },
    "◌ subagent Look: running",
  ],
  [{ type: "task.updated", taskId: "b", status: "failed", summary: "oh" }, "◌ task: failed, oh"],
  [{ type: "plan.updated", entries: [{ text: "a", status: "pending" }] }, "· plan: 0 of 1 done"],
  [asksToEdit, "? Allow: Edit a"],
  [{ type: "permission.resolved", requestId: "r", outcome: "allowed", by: "person" }, "  ✓ allowed by person"],
  [
    { type: "permission.resolved", requestId: "r", outcome: "denied", by: "deadline", message: "Nobody answered." },
    "  ✗ denied by deadline: Nobody answered.",
  ],
  [
    {
      type: "question.requested",
      requestId: "q",
      questions: [{ id: "a", text: "Which?", options: [], multiple: false }],
    },
    "? Which?",
  ],
  [
    {
      type: "question.resolved",
      requestId: "q",
      outcome: "answered",
      by: "person",
      answers: { a: ["x", "y"], b: "z" },
    },
    "  ✓ answered by person: x, y, z",
  ],
  [{ type: "question.resolved", requestId: "q", outcome: "skipped", by: "deadline" }, "  ✗ skipped by deadline"],
  [{ type: "limit.updated", window: "week", status: "ok" }, undefined],
  [
    { type: "limit.updated", window: "week", status: "reached", usedPercent: 100, resetsAt: "noon" },
    "! weekly limit: reached · 100 % used · resets at noon",
  ],
  [{ type: "context.compacted", trigger: "auto" }, "· the conversation was shortened to fit the model's context"],
  [
    { type: "context.compacted", trigger: "auto", before: 2, after: 1 },
    "· the conversation was shortened from 2 to 1 tokens to fit the model's context",
  ],
  [
    { type: "agent.retrying", attempt: 1, ofMax: 3, delayMs: 1500, error },
    "↻ retry 1 of 3 in 1.5 s: The line is dead.",
  ],
  [{ type: "agent.retrying", attempt: 1, error }, "↻ retry 1: The line is dead."],
  [{ type: "agent.switched", from: "a", to: "b", reason: "not_ready" }, "⇄ a handed over to b: not_ready"],
  [{ type: "notice", level: "info", code: "x", message: "m", count: 1 }, "· m"],
  [{ type: "notice", level: "error", code: "x", message: "m", count: 3 }, "! m (3 times)"],
  [{ type: "process.exited", code: 0, signal: null, stderrTail: "" }, undefined],
  [{ type: "process.exited", code: 1, signal: null, stderrTail: "" }, "! the agent's process ended (code 1)"],
  [
    { type: "process.exited", code: null, signal: "SIGKILL", stderrTail: "" },
    "! the agent's process ended (signal SIGKILL)",
  ],
  [
    { type: "turn.completed", outcome: "done", text: "", durationMs: 900, toolCalls: 0, filesChanged: [] },
    "✓ done in 900 ms",
  ],
  [
    {
      type: "turn.completed",
      outcome: "failed",
      error,
      text: "",
      durationMs: 1,
      toolCalls: 2,
      filesChanged: [],
      filesChangedIncomplete: true,
    },
    "✗ failed after 1 ms · 2 tool calls · files may have changed: The line is dead.",
  ],
  [{ type: "message.delta", messageId: "m", text: "x" }, undefined],
])("%j is %j", (payload, expected) => {
  const [event] = stamp([payload]);
  expect(eventLine(event!)).toBe(expected);
});

describe("hostile content", () => {
  const hostile = "\u001b]0;owned\u0007\u001b[2J\r\n```\n~~~\n<!-- <script>\n# You\n> x\n--- \u202e `` ` EVIL";
  /** A history with hostile text in every field that an agent, a tool or a person fills. */
  const poisoned = history.map((events) => events.map((event) => poison(event) as ReinsEvent));
  const free = new Set([
    "text",
    "title",
    "message",
    "path",
    "oldPath",
    "output",
    "nativeName",
    "window",
    "summary",
    "label",
  ]);
  const poison = (value: unknown, key = ""): unknown => {
    if (typeof value === "string") return free.has(key) ? value + hostile : value;
    if (Array.isArray(value)) return value.map((entry) => poison(entry, key === "filesChanged" ? "path" : ""));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, poison(entry, name)]));
  };

  it("stays inert in a terminal when shown in pieces, wherever they are cut", () => {
    for (let at = 0; at <= hostile.length; at++) {
      for (const piece of [hostile.slice(0, at), hostile.slice(at)]) {
        expect(printable(piece)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
        expect(oneLine(piece)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
        expect(stripAnsi(piece)).not.toContain("\u001b");
      }
    }
  });

  it("stays inert in a terminal", () => {
    fc.assert(
      fc.property(poisoned, (events) => {
        expect(plainText(conversation(events), { thoughts: true })).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
        for (const event of events) expect(eventLine(event) ?? "").not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
      }),
    );
  });

  it("stays within the quotes and fences of Markdown", () => {
    fc.assert(
      fc.property(poisoned, (events) => {
        let inside: string | undefined;
        for (const line of markdown(conversation(events), { thoughts: true }).split("\n")) {
          if (inside === undefined) {
            inside = /^(`{3,})\w*$/.exec(line)?.[1];
            if (inside !== undefined || line.startsWith(">")) continue;
            expect(line).toMatch(/^(?:$|#{1,2} [A-Za-z]|\*|\\?[✓✗●±·?!◌↻⇄>]|- \[|demo|Attached)/u);
            // Without escapes and code, nothing may be left that Markdown would read as markup.
            expect(line.replace(/\\[^\w\s]/g, "").replace(/(`+) .* \1|`[^`]+`/g, "")).not.toMatch(/[<`~]/);
          } else if (line === inside) {
            inside = undefined;
          }
        }
        expect(inside).toBeUndefined();
      }),
    );
  });
});
