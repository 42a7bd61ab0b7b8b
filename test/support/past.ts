/** Summarises past conversations in a few lines, and writes fixtures where an agent would store them. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { AgentHistory, PastEvent, PastSession } from "../../src/agents/contract.ts";
import { damaged, damageWithin } from "./damage.ts";
import { fc } from "./fast-check.ts";
import { agentEventSchema } from "../../src/events/schema/index.ts";
import type { PastReader } from "../../src/agents/shared/history/jsonl.ts";
import { PastConversation } from "../../src/agents/shared/history/past-conversation.ts";
import type { JsonObject } from "../../src/protocols/json.ts";
import type { ReinsEvent } from "../../src/events/types.ts";

type Said = Extract<PastEvent, { event: unknown }>["event"];
type Shown = Said | ReinsEvent | { readonly type: "prompt"; readonly text: string };

/** Lines, one each for a prompt, a message, a tool call with its outcome, the end of a turn. */
export function told(events: readonly Shown[]): string[] {
  const lines: string[] = [];
  const calls = new Map<string, number>();
  const add = (callId: string | undefined, words: string) => {
    const at = calls.get(callId ?? "");
    if (at !== undefined) lines[at] += `, ${words}`;
  };
  for (const event of events)
    switch (event.type) {
      case "prompt":
        lines.push(`you: ${event.text}`);
        break;
      case "turn.started":
        lines.push(`you: ${event.input?.text}`);
        break;
      case "turn.ended":
      case "turn.completed":
        lines.push(`end: ${event.outcome}`);
        break;
      case "thought.completed":
        lines.push(`thought: ${event.text.trim()}`);
        break;
      case "message.completed":
        if (event.parent === undefined) lines.push(`agent: ${event.text.trim()}`);
        break;
      case "tool.started":
        calls.set(event.callId, lines.push(`${event.tool}: ${event.title}`) - 1);
        break;
      case "tool.completed":
        add(event.callId, "ok");
        break;
      case "tool.failed":
        // A call that was cancelled before it ran was not allowed either.
        add(event.callId, event.reason === "denied" ? "cancelled" : event.reason);
        break;
      case "file.changed":
        add(event.callId, `${event.op} ${event.path} +${event.added} -${event.removed}`);
        break;
      case "notice":
        lines.push(`notice: ${event.message}`);
        break;
      case "context.compacted":
        lines.push("compacted");
        break;
      default:
    }
  return lines;
}

/** Summarises an agent's stored conversation; every event must be in the vocabulary. */
export function toldPast(events: readonly PastEvent[]): string[] {
  return told(
    events.map((past): Shown => {
      if ("prompt" in past) return { type: "prompt", text: past.prompt.text };
      const { error } = agentEventSchema.safeParse(past.event);
      if (error) expect.fail(`${JSON.stringify(past.event)} is not in the vocabulary: ${error.message}`);
      return past.event;
    }),
  );
}

/** Fails when the reader throws on damaged lines or returns events outside the vocabulary. */
export function expectSturdy(reader: (past: PastConversation) => PastReader, text: string): void {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => ({ msg: JSON.parse(line) as unknown }));
  fc.assert(
    fc.property(damageWithin(200), (how) => {
      const past = new PastConversation("/work/app");
      const lineReader = reader(past);
      for (const { msg } of damaged({ lines }, how).lines) lineReader.line(msg as JsonObject);
      lineReader.end?.();
      past.over();
      toldPast(past.take());
    }),
    { numRuns: 60 },
  );
}

export async function collected<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

export async function readWhole(history: AgentHistory, session: PastSession): Promise<PastEvent[]> {
  return (await collected(history.read(session))).flat();
}

export function fixtureText(name: string): string {
  return readFileSync(join(import.meta.dirname, "..", "fixtures", name), "utf8");
}

export function lay(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/**
 * The conversation of every recorded sample. Programs differ in the answers of their tools and in how they store a cancelled turn, and one
 * has no edit tool.
 */
export function recordedPast(said: {
  readonly write: string;
  readonly edit?: string;
  readonly shell: string;
  readonly failing: string;
  readonly calledOff?: "cancelled" | "interrupted";
}): string[] {
  const turn = (scenario: string, ...lines: readonly string[]): string[] => [`you: scenario:${scenario}`, ...lines];
  const done = "end: done";
  const { edit } = said;
  return [
    ...turn("thinking", "thought: Let me think about it. It is simple.", "agent: I thought about it: 42.", done),
    ...turn("write:notes.txt", "thought: I should write the file.", "agent: I will write it."),
    ...["write: Write notes.txt, ok, create notes.txt +1 -0", `agent: Done: ${said.write}`, done],
    ...(edit === undefined ? [] : turn("edit:notes.txt", "agent: Reading first.", "read: Read notes.txt, ok")),
    ...(edit === undefined ? [] : ["agent: Editing.", "edit: Edit notes.txt, ok, modify notes.txt +1 -1"]),
    ...(edit === undefined ? [] : [`agent: Done: ${edit}`, done]),
    ...turn("shell:echo%20hi", "agent: I will run a command.", "shell: Run echo hi, ok"),
    ...[`agent: It printed: ${said.shell}`, done],
    ...turn("failing-tool", "agent: This will fail.", "shell: Run mkdir no-such-folder/inside, error"),
    ...[`agent: It failed: ${said.failing}`, done],
    ...turn("two-tools", "agent: Two at once.", "write: Write one.txt, ok, create one.txt +1 -0"),
    ...["write: Write two.txt, ok, create two.txt +1 -0", "agent: I got 2 results.", done],
    ...turn("long-shell", "agent: This takes a while.", "shell: Run tail -f /dev/null, cancelled"),
    `end: ${said.calledOff ?? "cancelled"}`,
    ...turn("error-400", "end: failed"),
    ...turn("echo:bye", "agent: bye", done),
  ];
}
