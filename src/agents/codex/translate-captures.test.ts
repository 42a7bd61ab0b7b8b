import { expect, test } from "vitest";
import { captureNames, readMessages, replay, threadsIn } from "../../../test/fixtures/codex/replay.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { record, type JsonObject } from "../../protocols/json.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent, ReinsEvent } from "../../events/types.ts";

const servers = captureNames().flatMap((name) => threadsIn(name).map((thread) => [name, thread] as const));

test("has recordings", () => {
  expect(servers.length).toBeGreaterThanOrEqual(22);
});

test.each(servers)("translates %s, thread %s, without breaking a law or finding unknown messages", (name, thread) => {
  const { said, seen } = replay(name, thread);
  expectInVocabulary(said);
  expectLawful(seen);
  expect(said.filter((event) => event.type === "notice" && event.code === "unparsed")).toEqual([]);
});

test.each(servers)("reports each message of %s, thread %s, once", (name, thread) => {
  const { seen } = replay(name, thread);
  expect(spoken(seen, "message.completed")).toEqual(expect.arrayContaining(whole(name, thread, "agentMessage")));
  expect(spoken(seen, "thought.completed")).toEqual(whole(name, thread, "reasoning"));
  const turns = readMessages(name).filter(({ method, params }) => method === "turn/completed" && of(params, thread));
  expect(seen.filter(({ type }) => type === "turn.completed")).toHaveLength(turns.length);
});

test.for([
  ["app-cmd-accept", { outcome: "done", toolCalls: 1 }],
  ["app-cmd-decline", { outcome: "done", toolCalls: 1 }],
  ["app-cmd-cancel", { outcome: "cancelled", toolCalls: 1 }],
  ["app-file-accept", { outcome: "done", filesChanged: ["app-file-accept/patched.txt"] }],
  ["app-file-decline", { outcome: "done", filesChanged: [] }],
  ["app-interrupt-cmd", { outcome: "cancelled" }],
  ["app-err-401", { outcome: "failed", error: { code: "not_authenticated" } }],
  ["app-err-404", { outcome: "failed", error: { code: "model_unknown" } }],
  ["app-err-429", { outcome: "failed", error: { code: "rate_limited" } }],
  ["app-err-500-retry2", { outcome: "failed", error: { code: "overloaded" } }],
] as const)("ends %s with the right outcome", ([name, ending]) => {
  const { seen } = replay(name, threadsIn(name)[0]!);
  expect(seen.find(({ type }) => type === "turn.completed")).toMatchObject(ending);
});

test("keeps the original message on every event", () => {
  const { said } = replay("app-cmd-accept", threadsIn("app-cmd-accept")[0]!, { raw: true });
  for (const event of said) if (event.type !== "process.exited") expect(event.raw).toHaveProperty("method");
});

function expectInVocabulary(events: readonly AgentEvent[]): void {
  for (const event of events) {
    const parsed = agentEventSchema.safeParse(event);
    if (!parsed.success) expect.fail(`${JSON.stringify(event)} is not in the vocabulary: ${parsed.error.message}`);
  }
}

const of = (params: unknown, thread: string): boolean => record(params)["threadId"] === thread;

function whole(name: string, thread: string, type: string): unknown[] {
  const items = readMessages(name)
    .filter(({ method, params }) => method === "item/completed" && of(params, thread))
    .map(({ params }) => record(record(params)["item"]))
    .filter((item) => item["type"] === type);
  return items.map((item: JsonObject) =>
    type === "reasoning" ? (item["summary"] as string[]).join("\n\n") : item["text"],
  );
}

function spoken(events: readonly ReinsEvent[], type: "message.completed" | "thought.completed"): string[] {
  return events.flatMap((event) => (event.type === type && "text" in event ? [event.text] : []));
}
