import { expect, test } from "vitest";
import type { AgentEvent, AgentEventOf } from "../../../events/types.ts";
import type { Outcome } from "../../shared/calls.ts";
import { Calls, failureOf, outputOf, resultText } from "./calls.ts";
import { HookStreamMerge } from "./stream-merge.ts";

const started = (callId: string, tool: AgentEventOf<"tool.started">["tool"], input: unknown, nativeName = tool) =>
  ({ type: "tool.started", callId, tool, nativeName, kind: "other", title: "It", input }) as const;

test.each([
  ["plain text", "plain text"],
  ['{"output":"inside"}', "inside"],
  ["[1]", "[1]"],
  [{ stdout: "out", stderr: "err" }, "out\nerr"],
  [{ stdout: "", stderr: "err" }, "err"],
  [{ content: "c" }, "c"],
  [{ contents: "c" }, "c"],
  [{ text: "t" }, "t"],
  [{ result: "r" }, "r"],
  [{ other: 1 }, '{"other":1}'],
  [[1, 2], "[1,2]"],
  [7, "7"],
  [null, ""],
  [undefined, ""],
])("reads the result %j as %s", (given, said) => expect(resultText(given)).toBe(said));

test.each([
  [{}, "It failed.", "error"],
  [{ error_message: "No.", is_interrupt: true }, "No.", "cancelled"],
  [{ error_message: "No.", failure_type: "timeout" }, "No.", "timeout"],
  [{ error_message: "No.", failure_type: "permission_denied" }, "No.", "denied"],
])("classifies the failure %j as %s: %s", (told, message, reason) =>
  expect(failureOf(told).failed).toEqual({ error: { message }, reason }),
);

test("reports the end of a call once its outcome is known", () => {
  const calls = new Calls("/work", "h");
  const merge = new HookStreamMerge(calls, "/work", "h");
  const told = (outcome: Outcome | undefined) => {
    calls.hooked("a", "Shell", { command: "true" }).outcome = outcome;
    return merge.merge([{ type: "turn.ended", outcome: "done" }]).slice(0, -1);
  };
  expect(told(undefined)).toEqual([]);
  expect(told(outputOf("done", 5))).toMatchObject([
    { type: "tool.started", callId: "a" },
    { type: "tool.completed", callId: "a", output: { text: "done", bytes: 4, kept: 4 }, durationMs: 5 },
  ]);
  expect(told(failureOf({}))).toMatchObject([{ type: "tool.started" }, { type: "tool.failed", reason: "error" }]);
});

test("merges a call that stream and hook report under different ids, in either order", () => {
  const calls = new Calls("/work", "h");
  calls.streamed(started("s1", "shell", { command: "make", cwd: "/work/a" }));
  expect(calls.hooked("h1", "Shell", { command: "make" }, "/work/a").callId).toBe("s1");
  calls.hooked("h2", "Read", { path: "/work/a.txt" });
  calls.streamed(started("s2", "read", { file_path: "a.txt" }));
  expect(calls.get("s2")?.callId).toBe("h2");
  expect(calls.renamed({ type: "tool.progress", callId: "s2", input: {} })).toMatchObject({ callId: "h2" });
  const inside: AgentEvent = { type: "tool.progress", callId: "x", parent: "s2", input: {} };
  expect(calls.renamed(inside)).toMatchObject({ callId: "x", parent: "h2" });
  const said: AgentEvent = { type: "message.delta", messageId: "m", text: "t", parent: "s2" };
  expect(calls.renamed(said)).toEqual({ ...said, parent: "h2" });
  const other: AgentEvent = { type: "tool.progress", callId: "x", input: {} };
  expect(calls.renamed(other)).toBe(other);
});

test("matches a call without a subject to the only one of its kind, or creates a new one", () => {
  const calls = new Calls("/work", "h");
  calls.streamed(started("s1", "grep", {}));
  expect(calls.hooked("h1", "Grep", { pattern: "x" }).callId).toBe("s1");
  calls.streamed(started("s2", "glob", {}));
  calls.streamed(started("s3", "glob", {}));
  expect(calls.hooked("h2", "Glob", { globPattern: "*" }).callId).toBe("h2");
  expect(calls.hooked(undefined, "WebFetch", { url: "https://a" }).callId).toBe("h-1");
});

test("distinguishes two equal commands by their folders, when known", () => {
  const calls = new Calls("/work", "h");
  calls.streamed(started("s1", "shell", { command: "make", cwd: "a" }));
  calls.streamed(started("s2", "shell", { command: "make", cwd: "b" }));
  expect(calls.hooked("h2", "Shell", { command: "make", working_directory: "/work/b" }).callId).toBe("s2");
  expect(calls.hooked("h1", "Shell", { command: "make" }, "/elsewhere").callId).toBe("s1");
});

test("accepts a stream id that consists of two ids", () => {
  const calls = new Calls("/work", "h");
  calls.streamed(started("a\nb", "shell", { command: "true" }));
  expect(calls.get("b")?.callId).toBe("a\nb");
  expect(calls.get("a\nb")?.callId).toBe("a\nb");
  calls.hooked("c", "Shell", { command: "false" });
  expect(calls.get("c\nd")?.callId).toBe("c");
  expect(calls.get("e")).toBeUndefined();
  expect(calls.get(undefined)).toBeUndefined();
});

test("applies a verdict only to exactly the same call of an MCP tool", () => {
  const calls = new Calls("/work", "h");
  calls.hooked("a", "MCP:search", { query: "x" });
  const any = () => true;
  expect(calls.same("MCP:search", { query: "x" }, any)?.callId).toBe("a");
  expect(calls.same("MCP:search", { toolName: "search", args: { query: "x" } }, any)?.callId).toBe("a");
  expect(calls.same("MCP:search", { toolName: "search", arguments: { query: "y" } }, any)).toBeUndefined();
  expect(calls.same("MCP:search", { toolName: "search" }, any)).toBeUndefined();
  expect(calls.same("MCP:search", { query: "x" }, () => false)).toBeUndefined();
  expect(calls.isUnchanged("a", "MCP:search", { query: "y" })).toBe(false);
  expect(calls.isUnchanged("unknown", "MCP:search", {})).toBe(true);
});

test("finds a subagent that ended without an id by its text, or as the only one", () => {
  const calls = new Calls("/work", "h");
  const first = calls.hooked("a", "Task", { description: "one" });
  expect(calls.subagent("something else")).toBe(first);
  const second = calls.hooked("b", "Task", { prompt: "two" });
  expect(calls.subagent("two")).toBe(second);
  expect(calls.subagent("something else")).toBeUndefined();
});

test("adds text, edits and calls known only from hooks at the end of the turn, and drops late ones", () => {
  const calls = new Calls("/work", "h");
  const merge = new HookStreamMerge(calls, "/work", "h");
  const ended: AgentEvent = { type: "turn.ended", outcome: "done" };
  merge.heard("g1");
  merge.said("message", "Hello.");
  merge.said("thought", " ");
  merge.said("thought", undefined);
  merge.edited("/work/a.txt", [{ old_string: "a\n", new_string: "b\nc" }, {}]);
  merge.edited("/work/a.txt", [{ new_string: "d" }]);
  calls.hooked("asked", "Shell", { command: "true" }).asked = true;
  calls.hooked("open", "Read", { path: "/work/b" });
  for (const id of ["asked", "told"]) calls.hooked(id, "Shell", { command: id }).outcome = outputOf("ok", undefined);
  expect(merge.merge([ended]).map(({ type }) => type)).toEqual([
    "message.completed",
    "file.changed",
    "tool.completed",
    "tool.started",
    "tool.completed",
    "turn.ended",
  ]);
  merge.heard("g1");
  merge.heard(undefined);
  merge.said("message", "Too late.");
  merge.edited("/work/a.txt", [{}]);
  expect(merge.merge([ended])).toEqual([ended]);
  merge.heard("g2");
  merge.said("message", "Again.");
  merge.said("thought", "Hm.");
  merge.edited("/work/c.txt", [{}]);
  const streamed: AgentEvent[] = [
    { type: "message.completed", messageId: "m", text: "Again." },
    { type: "thought.completed", messageId: "t", text: "Hm." },
    { type: "file.changed", path: "c.txt", op: "modify" },
    { type: "turn.phase", phase: "model" },
  ];
  expect(merge.merge([...streamed, ended])).toEqual([...streamed, ended]);
});
