import { describe, expect, it } from "vitest";
import { agentEventSchema, reinsEventSchema } from "./index.ts";

const envelope = { v: 1, seq: 1, time: "2026-11-15T20:00:00.000Z", sessionId: "s", agent: "demo" };
const typesOf = (schema: { options: readonly { shape: { type: { value: string } } }[] }): string[] =>
  schema.options.map((option) => option.shape.type.value);

describe("event schemas", () => {
  it("list every type once", () => {
    const types = typesOf(reinsEventSchema);
    expect(new Set(types).size).toBe(types.length);
    expect(types).toHaveLength(30);
  });

  it("separate core events, agent events and internal events", () => {
    const [shown, said] = [typesOf(reinsEventSchema), typesOf(agentEventSchema)];
    const core = ["turn.started", "input.added", "turn.completed", "agent.switched"];
    expect(shown.filter((type) => !said.includes(type)).sort()).toEqual(core.sort());
    expect(said.filter((type) => !shown.includes(type)).sort()).toEqual(["tool.held", "turn.ended"]);
  });
});

it.each([
  [{ type: "turn.ended", outcome: "failed", error: { code: "network", message: "x", retryable: true } }, true],
  [{ type: "tool.held", requestId: "r", callId: "c", tool: "edit", nativeName: "E", title: "Edit", input: null }, true],
  [{ type: "message.delta", messageId: "m", text: "x", parent: "c", raw: { any: 1 } }, true],
  [{ type: "message.delta", messageId: "m" }, false],
  [{ type: "turn.started", origin: "prompt" }, false],
  [{ type: "no.such" }, false],
  [null, false],
])("agent event %j: valid is %s", (event, valid) => expect(agentEventSchema.safeParse(event).success).toBe(valid));

it.each([
  [{ type: "notice", level: "info", code: "quiet", message: "x" }, true],
  [{ type: "notice", level: "loud", code: "quiet", message: "x" }, false],
  [{ type: "turn.ended", outcome: "done" }, false],
  [{ type: "turn.completed", outcome: "done", text: "", durationMs: 1, toolCalls: 0, filesChanged: [] }, true],
  [
    {
      type: "turn.completed",
      outcome: "failed",
      error: { code: "oops", message: "", retryable: true },
      text: "",
      durationMs: 1,
      toolCalls: 0,
      filesChanged: [],
    },
    false,
  ],
  [{ type: "tool.started", callId: "c", tool: "frob", nativeName: "x", kind: "other", title: "x", input: 1 }, false],
])("reader event %j: valid is %s", (event, valid) => {
  expect(reinsEventSchema.safeParse({ ...envelope, ...event }).success).toBe(valid);
  expect(reinsEventSchema.safeParse(event).success).toBe(false);
  expect(reinsEventSchema.safeParse({ ...envelope, ...event, seq: 0 }).success).toBe(false);
});
