import { describe, expect, test } from "vitest";
import { messagesOf, recordings } from "../../../test/fixtures/copilot/one-shot/read.ts";
import { fc } from "../../../test/support/fast-check.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { recorded } from "../../../test/support/recorded.ts";
import { wireValue } from "../../../test/support/wire-words.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent } from "../../events/types.ts";
import { OneShotTranslator } from "./one-shot-translate.ts";

const gone = { code: "agent_crashed", message: "It ended.", retryable: true } as const;

function translated(messages: readonly unknown[], cancelled = false): AgentEvent[] {
  const translator = new OneShotTranslator({ cwd: "/workspace/copilot", servers: [] });
  translator.cancelling = cancelled;
  return [...messages.flatMap((message) => translator.translate(message)), ...translator.exited(gone)];
}

function shape(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "tool.started") return [`${event.tool}: ${event.title}`];
    if (event.type === "tool.completed") return [`done: ${event.output.text} ${event.exitCode ?? ""}`.trim()];
    if (event.type === "tool.failed") return [`failed (${event.reason})`];
    if (event.type === "file.changed") return [`${event.op} ${event.path}`];
    if (event.type === "message.completed") return [`said: ${event.text}`];
    if (event.type === "turn.ended") return [`${event.outcome} ${event.error?.code ?? ""}`.trim()];
    if (event.type === "notice" || event.type === "agent.retrying" || event.type === "message.discarded")
      return [event.type];
    return [];
  });
}

describe.each(recordings)("%s", (name) => {
  const events = translated(messagesOf(name), name.startsWith("sigterm"));

  test("is understood", () => {
    expect(shape(events)).toMatchSnapshot();
  });

  test("is lawful, and in the vocabulary", () => {
    for (const event of events) expect(agentEventSchema.safeParse(event).error).toBeUndefined();
    expectLawful(recorded("copilot", events));
  });
});

test("what a cut stream said does not count, and is said again", () => {
  const delta = (messageId: string, deltaContent: string) => ({
    type: "assistant.message_delta",
    data: { messageId, deltaContent },
  });
  const events = translated([
    delta("a", "half an"),
    { type: "assistant.turn_retry", data: {} },
    delta("b", "half an answer"),
    { type: "assistant.message", data: { messageId: "b", content: "half an answer" } },
    { type: "result", exitCode: 0 },
  ]);
  expect(shape(events)).toEqual(["message.discarded", "agent.retrying", "said: half an answer", "done"]);
});

test("what nobody knows is said once, with how often it came", () => {
  const events = translated([{ type: "weather" }, { type: "weather" }, 7, { type: "result", exitCode: 3 }]);
  expect(events.filter(({ type }) => type === "notice")).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
});

const value = wireValue({
  words: [
    ...["assistant.message_delta", "assistant.message", "assistant.reasoning_delta", "assistant.turn_retry", "result"],
    ...["tool.execution_start", "tool.execution_complete", "tool.shell_output", "session.info", "session.error"],
    ...["create", "bash", "view", "denied", "cancellation", "delete", "c1", "c2"],
  ],
  keys: [
    ...["type", "data", "messageId", "deltaContent", "content", "toolCallId", "toolName", "arguments", "path"],
    ...["success", "error", "result", "fileEdits", "kind", "statusCode", "message", "infoType", "exitCode", "text"],
    ...["parentToolCallId", "detailedContent", "shellExecution", "reasoningId", "command"],
  ],
  maxKeys: 5,
});

test("whatever comes, it does not throw, and what it says is lawful", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(value, fc.constantFrom(...messagesOf("write-allowall"))), { maxLength: 12 }),
      (all) => {
        const events = translated(all);
        for (const event of events) expect(agentEventSchema.safeParse(event).error).toBeUndefined();
        expectLawful(recorded("copilot", events));
      },
    ),
    { numRuns: 150 },
  );
});
