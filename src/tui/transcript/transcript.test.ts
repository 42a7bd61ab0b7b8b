import { describe, expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { history, stamp } from "../../../test/support/histories.ts";
import { ended, inTurn, look, prompted, rowsOfBlocks, said, screen, seen } from "../../../test/support/transcript.ts";
import type { EventPayload } from "../../events/types.ts";
import { conversation, createConversation } from "../../view/conversation.ts";
import type { Line } from "../line.ts";
import { columnsOf } from "../../events/columns.ts";
import { Transcript } from "./index.ts";

const call = (callId: string, more: object = {}): EventPayload => ({
  ...{ type: "tool.started", callId, tool: "shell", nativeName: "Bash", kind: "execute" },
  ...{ title: "Run npm test", input: { command: "npm test" }, ...more },
});
const came = (callId: string, text: string, more: object = {}): EventPayload => ({
  ...{ type: "tool.completed", callId, output: { text, bytes: text.length, kept: text.length }, durationMs: 1200 },
  ...more,
});
const failed = (callId: string, message: string): EventPayload => ({
  ...{ type: "tool.failed", callId, error: { message }, reason: "error" },
});
const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n const same = 1;\n-const name = old;\n+const name = fresh;\n";
const changed = (callId?: string): EventPayload => ({
  ...{ type: "file.changed", path: "a.ts", op: "modify", diff, added: 1, removed: 1, callId },
});
const error = { code: "network", message: "The connection was cut.", retryable: true, help: "Try again." } as const;

const work: readonly EventPayload[] = [
  prompted,
  { type: "thought.completed", messageId: "th", text: "Hm.\nLet me see." },
  said("I will look.", "m1"),
  call("c"),
  came("c", "ok\nfine\n"),
  call("d", { tool: "edit", title: "Edit a.ts", input: { path: "a.ts" } }),
  changed("d"),
  came("d", ""),
  said("All **done**.", "m2"),
];

describe("turn", () => {
  test("folds nothing while it runs", () => {
    expect(screen(inTurn(...work))).toMatchInlineSnapshot(`
      "
      ❯ Do it

      ▸ Thought for a while · 2 lines

      I will look.

      ✓ Run npm test · 2 lines · 1.2 s
      ✓ Edit a.ts · +1 −1 · no output · 1.2 s

      All done.
      "
    `);
  });

  test("shows one line and the answer when done", () => {
    expect(screen(inTurn(...work, ended()))).toMatchInlineSnapshot(`
      "
      ❯ Do it

      ▸ Worked 34.0 s · 2 tool calls · 1 file changed

      All done.
      "
    `);
  });

  test("opens by its id", () => {
    const open = seen(inTurn(...work, ended()), { unfolded: new Set(["turn:t"]) });
    expect(open).toContain("▾ Worked 34.0 s · 2 tool calls · 1 file changed");
    expect(open).toContain("✓ Run npm test · 2 lines · 1.2 s");
  });

  test("has no line of its own without steps", () => {
    expect(seen(inTurn(prompted, said("Hi."), ended({ toolCalls: 0, filesChanged: [] })))).toEqual([
      "❯ Do it",
      "",
      "Hi.",
    ]);
  });

  test("shows the error and the next step when it failed", () => {
    const events = inTurn(prompted, call("c"), came("c", ""), ended({ outcome: "failed", error }));
    expect(screen(events)).toMatchInlineSnapshot(`
      "
      ❯ Do it

      ▸ Worked 34.0 s · 2 tool calls · 1 file changed
      ✗ failed after 34.0 s
        The connection was cut.
        Try again.
      "
    `);
  });

  test("shows everything when expanded", () => {
    expect(screen(inTurn(...work, ended()), { expandAll: true })).toMatchInlineSnapshot(`
      "
      ❯ Do it

      ▾ Worked 34.0 s · 2 tool calls · 1 file changed
      ▾ Thought for a while · 2 lines
        Hm. Let me see.

      I will look.

      ✓ Run npm test · 2 lines · 1.2 s
        $ npm test
        ok
        fine
      ✓ Edit a.ts · +1 −1 · no output · 1.2 s
        ± changed a.ts (+1 −1)
        1   const same = 1;
        2 - const name = old;
        2 + const name = fresh;

      All done.
      "
    `);
  });

  test("stays as printed in the inline screen", () => {
    const rows = seen(inTurn(...work), { foldTurns: false });
    expect(seen(inTurn(...work, ended()), { foldTurns: false }).slice(0, rows.length)).toEqual(rows);
  });
});

const kinds: readonly EventPayload[] = [
  {
    type: "turn.started",
    origin: "prompt",
    input: { text: "Look at\nthis", attachments: [{ kind: "image", name: "x.png" }] },
  },
  { type: "thought.delta", messageId: "th", text: "Hm" },
  call("c", {
    tool: "mcp",
    nativeName: "mcp__files__search",
    title: "Search",
    input: { query: "a", deep: { b: [1] } },
  }),
  failed("c", "No such server."),
  {
    type: "plan.updated",
    entries: [
      { text: "one", status: "completed" },
      { text: "two", status: "in_progress" },
      { text: "three", status: "pending" },
    ],
  },
  { type: "input.added", text: "and that", how: "steer" },
  { type: "notice", level: "warning", code: "stderr", message: "something odd" },
  { type: "agent.retrying", attempt: 1, ofMax: 3, delayMs: 500, error },
  { type: "context.compacted", trigger: "auto", before: 1000, after: 10 },
  { type: "agent.switched", from: "one", to: "two", reason: "limit" } as EventPayload,
  { type: "task.started", taskId: "k", kind: "shell", title: "npm run dev", status: "running" },
  {
    type: "question.requested",
    requestId: "q",
    questions: [{ id: "1", text: "Which one?", options: [], multiple: false }],
  },
  { type: "question.resolved", requestId: "q", outcome: "answered", by: "person", answers: { 1: "This" } },
  { type: "permission.requested", requestId: "p", callId: "x", tool: "shell", title: "Run rm", input: {}, options: [] },
  { type: "permission.resolved", requestId: "p", outcome: "denied", by: "person", message: "no" },
  { type: "permission.requested", requestId: "r", callId: "y", tool: "shell", title: "Run ls", input: {}, options: [] },
  changed(),
  { type: "process.exited", code: 1, signal: null, stderrTail: "" },
];

describe("every kind of item", () => {
  test("at 80 columns", () =>
    expect(screen(inTurn(...kinds))).toMatchInlineSnapshot(`
    "
    ❯ Look at
      this
      attached: x.png

    ▸ Thinking …
    ✗ Search (files: search) · failed: No such server.

    · plan: 1 of 3 done, now two
      ✓ one
      ● two
      ○ three

    ❯ and that
      added while running

    ! something odd
    ↻ retry 1 of 3 in 500 ms: The connection was cut.
    · the conversation was shortened from 1000 to 10 tokens to fit the model's
      context
    ⇄ one handed over to two: limit
    ◌ background npm run dev: running
    ? Which one?
      → answered by you: This
    ✗ Allow: Run rm · denied by you: no
    ? Waiting for approval: Run ls
    ± changed a.ts (+1 −1)
    · the agent's process ended (code 1)
    "
  `));
  test("at 20 columns", () =>
    expect(screen(inTurn(...kinds), { width: 20 })).toMatchInlineSnapshot(`
    "
    ❯ Look at
      this
      attached: x.png

    ▸ Thinking …
    ✗ Search (files:
      search) · failed:
      No such server.

    · plan: 1 of 3 done,
      now two
      ✓ one
      ● two
      ○ three

    ❯ and that
      added while
      running

    ! something odd
    ↻ retry 1 of 3 in
      500 ms: The
      connection was
      cut.
    · the conversation
      was shortened from
      1000 to 10 tokens
      to fit the model's
      context
    ⇄ one handed over to
      two: limit
    ◌ background npm run
      dev: running
    ? Which one?
      → answered by you:
        This
    ✗ Allow: Run rm ·
      denied by you: no
    ? Waiting for appro…
    ± changed a.ts (+1
      −1)
    · the agent's
      process ended
      (code 1)
    "
  `));

  test.each([1, 2, 3, 20, 80, 119, 120, 200])("is never wider than %i columns", (width) => {
    for (const expandAll of [false, true])
      for (const row of seen(inTurn(...kinds, ...work.slice(1)), { width, expandAll }))
        expect(columnsOf(row)).toBeLessThanOrEqual(width);
  });
});

describe("diffs", () => {
  const events = inTurn(prompted, changed());
  const unfolded = new Set(["file"]);

  test("are side by side from 120 columns on", () => {
    expect(seen(events, { unfolded, width: 120 }).at(-1)).toMatch(/^2 const name = old; +│ 2 const name = fresh; +$/);
    expect(seen(events, { unfolded, width: 119 }).slice(-2)).toEqual([
      "2 - const name = old;",
      "2 + const name = fresh;",
    ]);
  });

  test("mark the changed words, and copy as code", () => {
    const lines = new Transcript(conversation(events)).blocks(look({ unfolded })).at(-1)!.lines;
    const { addedWord } = look().theme;
    expect(lines.at(-1)!.text).toContain(addedWord("fresh").replaceAll(/\x1b\[(?:39|49)m/g, ""));
    expect(lines.at(-1)!.source).toBe("const name = fresh;");
  });
});

test("draws a subagent inside its call", () => {
  const inner = [call("i"), came("i", "x")].map((event) => ({ ...event, parent: "c" }));
  const events = inTurn(
    prompted,
    call("c", { tool: "task", title: "Task: look", input: {} }),
    ...inner,
    came("c", "found"),
  );
  const unfolded = new Set(["tool:c"]);
  expect(seen(events, { unfolded }).slice(2)).toEqual([
    "✓ Task: look · 1 step · 1 line · 1.2 s",
    "  │ ✓ Run npm test · 1 line · 1.2 s",
    "  found",
  ]);
});

test("shows the end of a long output, all of it when expanded, and cuts a very long line", () => {
  const output = `${Array.from({ length: 300 }, (_, index) => `line ${index}`).join("\n")}\n${"x".repeat(5_000)}`;
  const events = inTurn(prompted, call("c"), came("c", output));
  const blocks = new Transcript(conversation(events)).blocks(look({ unfolded: new Set(["tool:c"]) }));
  expect(rowsOfBlocks(blocks, 80)).toContain("  … 101 lines above");
  expect(rowsOfBlocks(blocks, 80).at(-1)).toContain("… 3,000 more characters");
  expect(blocks.at(-1)!.lines.at(-1)!.source).toHaveLength(5_000);
  expect(seen(events, { expandAll: true })).toContain("  line 0");
});

describe("object identity", () => {
  test("changes only the growing block after a delta", () => {
    const builder = createConversation();
    const transcript = new Transcript(builder.conversation);
    const events = inTurn(
      ...work,
      { type: "message.delta", messageId: "s", text: "One.\n\nTwo" },
      { type: "message.delta", messageId: "s", text: " more" },
    );
    for (const event of events.slice(0, -1)) builder.apply(event);
    const before = transcript.blocks(look());
    expect(transcript.blocks(look())).toBe(before);
    builder.apply(events.at(-1)!);
    const after = transcript.blocks(look());
    expect(after.slice(0, -1).every((block, at) => block === before[at])).toBe(true);
    expect(after.at(-1)).not.toBe(before.at(-1));
    expect(after.at(-1)!.lines[1]).toBe(before.at(-1)!.lines[1]);
  });

  test("creates each line of a long answer once, and the last line with each delta", () => {
    const builder = createConversation();
    const transcript = new Transcript(builder.conversation);
    const text = Array.from({ length: 300 }, (_, index) => `Paragraph ${index} says something.`).join("\n\n");
    const pieces = text.match(/[\s\S]{1,9}/g)!;
    const lines = new Set<Line>();
    const deltas = pieces.map((text): EventPayload => ({ type: "message.delta", messageId: "s", text }));
    for (const event of inTurn(prompted, ...deltas)) {
      builder.apply(event);
      for (const line of transcript.blocks(look()).at(-1)!.lines) lines.add(line);
    }
    expect(lines.size).toBeLessThan(2 * pieces.length + 1_000);
  });

  test("builds the lines of a long history on first use", () => {
    const turns = Array.from({ length: 50 }, (_, index) =>
      [prompted, said(`Answer ${index}`), ended()].map((event) => ({ ...event, turnId: `t${index}` })),
    );
    const built = conversation(stamp(turns.flat()));
    const first = built.entries[0]!;
    const transcript = new Transcript(built);
    const before = transcript.blocks(look());
    // Lines are built from the item's state when they are first read.
    if (first.kind === "turn" && first.items[0]?.kind === "message") first.items[0].text = "Changed";
    expect(rowsOfBlocks(before.slice(0, 2), 80)).toContain("Changed");
  });
});

/** The inline screen relies on this: every settled line is printed once. */
test("never changes settled blocks, and drawing event by event gives the same lines as drawing once", () => {
  fc.assert(
    fc.property(history, fc.boolean(), (events, foldTurns) => {
      const builder = createConversation();
      const transcript = new Transcript(builder.conversation);
      const settled = new Map<string, readonly Line[]>();
      for (const event of events) {
        builder.apply(event);
        const blocks = transcript.blocks(look({ foldTurns }));
        if (!foldTurns)
          for (const { id, settled: over, lines } of blocks) {
            if (settled.has(id)) expect(lines).toBe(settled.get(id));
            if (over) settled.set(id, lines);
          }
      }
      const fresh = new Transcript(builder.conversation).blocks(look({ foldTurns }));
      if (foldTurns) expect(rowsOfBlocks(transcript.blocks(look({ foldTurns })), 80)).toEqual(rowsOfBlocks(fresh, 80));
    }),
    { numRuns: 60 },
  );
});
