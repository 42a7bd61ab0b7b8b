import { expect, test } from "vitest";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { AgentEvent } from "../../events/types.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { Recorder } from "./recorder.ts";

const started: Exclude<AgentEvent, { type: "turn.ended" | "tool.held" }> = {
  type: "tool.started",
  callId: "c",
  tool: "shell",
  nativeName: "Bash",
  kind: "execute",
  title: "Run x",
  input: {},
};

test("keeps the laws when another agent continues a turn with the same ids", () => {
  const recorder = new Recorder({ sessionId: "s", redact: createRedactor({}), limits: defaultLimits });
  recorder.startLeg("a", { mode: "ask", cwd: "/w", resumed: false });
  recorder.startTurn("t", { type: "turn.started", origin: "prompt", input: { text: "p" } });
  recorder.knowState("a:1:x");
  recorder.add({ type: "message.delta", messageId: "m", text: "Hel" });
  recorder.add(started);
  recorder.add({
    type: "permission.requested",
    requestId: "r",
    callId: "c",
    tool: "shell",
    title: "Run x",
    input: {},
    options: [],
  });
  recorder.add({ type: "usage.updated", scope: "session", tokens: { input: 100, output: 10 } });
  recorder.add({ type: "usage.updated", scope: "turn", tokens: { input: 100, output: 10 } });
  recorder.suspendTurn();
  recorder.emit({ type: "agent.switched", from: "a", to: "b", reason: "quota_exhausted" });
  recorder.startLeg("b", { mode: "ask", cwd: "/w", resumed: false });
  recorder.knowState("b:1:y");
  recorder.add(started);
  recorder.add({ type: "tool.completed", callId: "c", output: { text: "", bytes: 0, kept: 0 } });
  recorder.add({ type: "message.completed", messageId: "m", text: "Done." });
  recorder.add({ type: "usage.updated", scope: "session", tokens: { input: 7, output: 1 } });
  recorder.endTurn({ outcome: "done", usage: { input: 7, output: 1 } });
  const events = recorder.take();
  expectLawful(events);
  const tools = events.filter((event) => event.type.startsWith("tool.")) as { type: string; callId: string }[];
  expect(tools.map(({ type, callId }) => `${type} ${callId}`)).toEqual([
    "tool.started c",
    "tool.failed c",
    "tool.started cb",
    "tool.completed cb",
  ]);
  expect(events.find(({ type }) => type === "tool.failed")).toMatchObject({ reason: "unfinished", agent: "a" });
  expect(events.at(-1)).toMatchObject({
    agent: "b",
    text: "Done.",
    toolCalls: 2,
    usage: { input: 107, output: 11 },
    state: "b:1:y",
  });
});
