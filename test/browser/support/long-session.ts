/** A stored session with the given number of events, of every kind that occurs in a long day. */
import type { EventPayload } from "../../../src/events/types.ts";
import type { Store } from "../../../src/core/log/types.ts";
import { keep } from "../../support/store.ts";

const code = ["```ts", "export function add(a: number, b: number): number {", "  return a + b;", "}", "```"].join("\n");

function diffOf(turn: number): string {
  return `--- a/src/part-${turn}.ts\n+++ b/src/part-${turn}.ts\n@@ -1,3 +1,3 @@\n const a = 1;\n-const b = ${turn};\n+const b = ${turn + 1};\n const c = 3;\n`;
}

/** A turn of about fifty events. */
function turnOf(turn: number): EventPayload[] {
  const [messageId, thoughtId, lastId] = [`m${turn}`, `t${turn}`, `l${turn}`];
  const pieces = Array.from({ length: 24 }, (_, piece) => `word ${piece} of turn ${turn}, `);
  const path = `src/part-${turn}.ts`;
  const callId = `c${turn}`;
  const said = `Turn ${turn} is **done**.\n\n${code}\n\n- one\n- two\n`;
  return [
    { type: "turn.started", origin: "prompt", input: { text: `Prompt number ${turn}` } },
    { type: "thought.delta", messageId: thoughtId, text: "Let me look at it. " },
    { type: "thought.completed", messageId: thoughtId, text: "Let me look at it. " },
    ...pieces.map((text): EventPayload => ({ type: "message.delta", messageId, text })),
    { type: "message.completed", messageId, text: pieces.join("") },
    ...Array.from({ length: 5 }, (_, index) => index).flatMap((index): EventPayload[] => [
      {
        type: "tool.started",
        callId: `${callId}-${index}`,
        tool: "read",
        nativeName: "read",
        kind: "read",
        title: `Read src/file-${index}.ts`,
        input: { path: `src/file-${index}.ts` },
      },
      {
        type: "tool.completed",
        callId: `${callId}-${index}`,
        output: { text: `line one of ${index}\nline two\n`, bytes: 25, kept: 25 },
        durationMs: 3,
      },
    ]),
    {
      type: "tool.started",
      callId,
      tool: "edit",
      nativeName: "edit",
      kind: "edit",
      title: `Edit ${path}`,
      input: { path },
    },
    { type: "file.changed", path, op: "modify", diff: diffOf(turn), added: 1, removed: 1, callId },
    { type: "tool.completed", callId, output: { text: `${path} was changed.`, bytes: 20, kept: 20 }, durationMs: 4 },
    { type: "message.delta", messageId: lastId, text: said },
    { type: "message.completed", messageId: lastId, text: said },
    { type: "usage.updated", scope: "turn", tokens: { input: 1_000 + turn, output: 200 } },
    { type: "turn.completed", outcome: "done", text: said, durationMs: 900, toolCalls: 6, filesChanged: [path] },
  ];
}

/** Returns the number of the last prompt. The session begins with `Prompt number 1`. */
export function keepLongSession(store: Store, id: string, folder: string, events: number): number {
  const all: EventPayload[] = [
    {
      type: "session.started",
      mode: "ask",
      cwd: folder,
      resumed: false,
      state: "demo:1:00000000-0000-4000-8000-000000000000:1",
      model: "scripted",
    },
    { type: "session.updated", title: `A session of ${events} events`, by: "person" },
  ];
  let turns = 0;
  for (;;) {
    const next = turnOf(turns + 1);
    if (all.length + next.length > events) break;
    all.push(...next);
    turns += 1;
  }
  while (all.length < events)
    all.push({ type: "notice", level: "info", code: "quiet", message: `Nothing new, ${all.length}.` });
  keep(store, id, all, { cwd: folder });
  return turns;
}
