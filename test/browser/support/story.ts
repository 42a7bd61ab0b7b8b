/** A small project and the sessions of a working day in it, invented for screenshots. */
import type { Store } from "../../../src/core/log/types.ts";
import { EventBatch } from "../../../src/core/log/event-batch.ts";
import { diffStats, unifiedDiff } from "../../../src/events/diff.ts";
import type { EventPayload, ReinsEvent } from "../../../src/events/types.ts";
import type { Scenario } from "../../../src/testing/index.ts";
import { about, stamped } from "../../support/store.ts";

const cart = `import { taxOf } from "./tax.ts";
import type { Item } from "./item.ts";

/** What the person pays, in cents. */
export function totalOf(items: readonly Item[], discount = 0): number {
  let total = 0;
  for (const item of items) {
    total += item.price * item.count;
    total -= total * discount;
  }
  return total + taxOf(total);
}
`;

const better = cart.replace(
  `    total += item.price * item.count;
    total -= total * discount;
  }
  return total + taxOf(total);`,
  `    total += item.price * item.count;
  }
  const reduced = Math.round(total * (1 - discount));
  return reduced + taxOf(reduced);`,
);

export const storyFiles: Readonly<Record<string, string>> = {
  "README.md": "# Shop\n\nA small shop.\n",
  "package.json": `${JSON.stringify({ name: "shop", private: true, type: "module", scripts: { test: "node --test" } }, undefined, 2)}\n`,
  "src/cart.ts": cart,
  "src/tax.ts": "export const taxOf = (cents: number): number => Math.round(cents * 0.19);\n",
  "src/item.ts": "export interface Item {\n  readonly price: number;\n  readonly count: number;\n}\n",
};

export const storyPrompt = "The total is wrong when a cart with several items has a discount. Find out why and fix it.";

const fixed = `The discount was taken off **inside the loop**, from the running total: with two items the first one was reduced twice.

It is now taken off once, after everything is added up:

\`\`\`ts
const reduced = Math.round(total * (1 - discount));
return reduced + taxOf(reduced);
\`\`\`

| cart | before | now |
| --- | --- | --- |
| 1 item, 10 % | 1,071 | 1,071 |
| 3 items, 10 % | 2,903 | 3,213 |

All 14 tests pass, two of them new.`;

const tests = `✔ a cart without items costs nothing (0.4 ms)
✔ a discount is taken off once (0.3 ms)
✔ a discount of several items is rounded once (0.2 ms)
ℹ tests 14
ℹ pass 14
ℹ fail 0
`;

function call(
  callId: string,
  tool: "read" | "edit" | "shell" | "grep",
  title: string,
  input: unknown,
  output: string,
  more: readonly EventPayload[] = [],
): EventPayload[] {
  const kind = ({ read: "read", edit: "edit", shell: "execute", grep: "search" } as const)[tool];
  const bytes = Buffer.byteLength(output);
  return [
    { type: "tool.started", callId, tool, nativeName: tool, kind, title, input },
    ...more,
    {
      type: "tool.completed",
      callId,
      output: { text: output, bytes, kept: bytes },
      durationMs: 120,
      ...(tool === "shell" && { exitCode: 0 }),
    },
  ];
}

const planAt = (done: number): EventPayload => ({
  type: "plan.updated",
  entries: [
    "See how the total is made",
    "Take the discount off once",
    "Add tests for several items",
    "Run all tests",
  ].map((text, index) => ({ text, status: index < done ? "completed" : index === done ? "in_progress" : "pending" })),
});

const change = unifiedDiff("src/cart.ts", cart, better);

const theFix: EventPayload[] = [
  { type: "turn.started", origin: "prompt", input: { text: storyPrompt } },
  {
    type: "thought.completed",
    messageId: "t1",
    text: "The discount may be applied per item. I should look at how the total is added up before I change anything.",
  },
  { type: "message.completed", messageId: "m1", text: "I look at how the total is made first." },
  planAt(0),
  ...call(
    "c1",
    "grep",
    "Search totalOf",
    { pattern: "totalOf" },
    "src/cart.ts:5: export function totalOf(\nsrc/checkout.ts:12: totalOf(items, 0.1)\n",
  ),
  ...call("c2", "read", "Read src/cart.ts", { path: "src/cart.ts" }, cart),
  planAt(1),
  ...call("c3", "edit", "Edit src/cart.ts", { path: "src/cart.ts" }, "src/cart.ts was changed.", [
    {
      type: "file.changed",
      path: "src/cart.ts",
      op: "modify",
      diff: change,
      ...diffStats(change),
      callId: "c3",
    },
  ]),
  planAt(3),
  ...call("c4", "shell", "Run npm test", { command: "npm test" }, tests),
  planAt(4),
  { type: "message.completed", messageId: "m2", text: fixed },
  {
    type: "usage.updated",
    scope: "turn",
    tokens: { input: 4_210, output: 1_130, cacheRead: 38_400 },
    costUsd: 0.0412,
    costSource: "agent",
    context: { used: 43_740, size: 200_000 },
  },
  {
    type: "limit.updated",
    window: "five_hour",
    status: "ok",
    usedPercent: 34,
    resetsAt: new Date(Date.now() + 8_000_000).toISOString(),
  },
  {
    type: "turn.completed",
    outcome: "done",
    text: fixed,
    usage: { input: 4_210, output: 1_130, cacheRead: 38_400 },
    costUsd: 0.0412,
    costSource: "agent",
    durationMs: 48_200,
    toolCalls: 4,
    filesChanged: ["src/cart.ts"],
  },
];

const said = (prompt: string, answer: string, more: readonly EventPayload[] = []): EventPayload[] => [
  { type: "turn.started", origin: "prompt", input: { text: prompt } },
  ...more,
  { type: "message.completed", messageId: "m1", text: answer },
  { type: "turn.completed", outcome: "done", text: answer, durationMs: 9_000, toolCalls: 0, filesChanged: [] },
];

interface StorySession {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  readonly model: string;
  readonly minutesAgo: number;
  readonly events: readonly EventPayload[];
}

const sessions: readonly StorySession[] = [
  {
    id: "ses_story_fix",
    agent: "claude",
    title: "Take the discount off once",
    model: "claude-sonnet-5-5",
    minutesAgo: 4,
    events: theFix,
  },
  {
    id: "ses_story_slow",
    agent: "codex",
    title: "Why is the build slow?",
    model: "gpt-5.5",
    minutesAgo: 38,
    events: said(
      "Why does the build take a minute?",
      "Types are checked twice: once by `tsc`, once by the bundler's plugin.",
    ),
  },
  {
    id: "ses_story_notes",
    agent: "gemini",
    title: "Release notes for 2.4",
    model: "gemini-3.5-flash",
    minutesAgo: 130,
    events: said(
      "Write the release notes for 2.4 from the log.",
      "## 2.4\n\n- Discounts are taken off once.\n- The build takes 20 s.",
    ),
  },
  {
    id: "ses_story_rename",
    agent: "opencode",
    title: "Rename Basket to Cart everywhere",
    model: "anthropic/claude-haiku-5",
    minutesAgo: 60 * 26,
    events: said("Rename Basket to Cart everywhere.", "Renamed in 23 files; the tests pass."),
  },
  {
    id: "ses_story_docs",
    agent: "copilot",
    title: "Document the price list",
    model: "gpt-5.5",
    minutesAgo: 60 * 50,
    events: said("Document the price list.", "Every field has a sentence now."),
  },
];

export function keepStory(store: Store, folder: string): void {
  for (const { id, agent, title, model, minutesAgo, events } of sessions) {
    const started = Date.now() - minutesAgo * 60_000 - 60_000;
    const all: EventPayload[] = [
      { type: "session.started", mode: "ask", cwd: folder, resumed: false, state: `${agent}:1:story`, model },
      { type: "session.updated", title, by: "person" },
      ...events,
    ];
    const log = store.open(id, about({ cwd: folder }));
    log.append(
      new EventBatch(
        stamped(id, all).map(
          (event) => ({ ...event, agent, time: new Date(started + event.seq * 1_000).toISOString() }) as ReinsEvent,
        ),
      ),
    );
    log.end();
  }
}

/** The scripted model's scenario for any prompt: it looks around and then wants to change the file. */
export const storyScenario: Scenario = {
  name: "story",
  steps: [
    [
      { think: "The discount may be applied per item. I should look at how the total is added up first." },
      { say: "I look at how the total is made." },
      { callNative: { name: "read", input: { path: "src/cart.ts" } } },
    ],
    [
      {
        say: "The discount is taken off **inside the loop**, so the first items are reduced again and again. I take it off once, at the end.",
      },
      // A relative path, because a comparison runs in several folders.
      {
        callNative: {
          name: "edit",
          input: {
            path: "src/cart.ts",
            from: "    total -= total * discount;\n  }\n  return total + taxOf(total);",
            to: "  }\n  const reduced = Math.round(total * (1 - discount));\n  return reduced + taxOf(reduced);",
          },
        },
      },
      { usage: { input: 2_100, output: 340, cacheRead: 6_000 } },
    ],
    [{ say: fixed }, { usage: { input: 900, output: 410, cacheRead: 8_100 } }],
  ],
};
