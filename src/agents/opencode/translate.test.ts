import { expect, test, vi } from "vitest";
import { Translator } from "./translate.ts";

/** A conversation whose model has begun to answer, and functions that send it events. */
function conversation() {
  const abort = vi.fn<() => void>();
  const translator = new Translator({ session: "main", cwd: "/w", servers: new Set(), abort });
  const tell = (type: string, properties: object = {}) => translator.translate({ type, properties });
  const message = (id: string, more: object = {}) =>
    tell("message.updated", { info: { id, sessionID: "main", role: "assistant", ...more } });
  const part = (type: string, more: object = {}) =>
    tell("message.part.updated", { part: { id: "p", sessionID: "main", messageID: "a", type, ...more } });
  const tool = (name: string | undefined, state: object, more: object = {}) =>
    part("tool", { callID: "c", tool: name, state, ...more });
  translator.turns.sent();
  message("u", { role: "user" });
  message("a", { providerID: "x", modelID: "one" });
  return { translator, abort, tell, message, part, tool };
}

test("ignores events of another conversation or of none", () => {
  const { tell, part } = conversation();
  const todos = [{ content: "one", status: "completed" }];
  const entries = [{ text: "one", status: "completed" }];
  part("compaction");
  for (const [type, about, expected] of [
    ["todo.updated", { sessionID: "main", todos }, [{ type: "plan.updated", entries }]],
    ["todo.updated", { sessionID: "other", todos }, []],
    ["todo.updated", { todos }, []],
    ["session.compacted", { sessionID: "main" }, [{ type: "context.compacted", trigger: "manual" }]],
    ["session.compacted", { sessionID: "other" }, []],
    ["session.compacted", {}, []],
    ["session.updated", { info: { id: "main", title: "New session - 2026-01-01" } }, []],
    ["session.updated", { info: { id: "main", title: "Tidy" } }, [{ type: "session.updated", title: "Tidy" }]],
    ["session.updated", { info: { id: "main", title: "Tidy" } }, []],
    ["session.updated", { info: { id: "other", title: "Other" } }, []],
    ["session.updated", { info: {} }, []],
    ["session.status", { sessionID: "other", status: { type: "retry" } }, []],
    ["session.status", {}, []],
    ["session.idle", {}, []],
  ] as const)
    expect([type, about, tell(type, about)]).toMatchObject([type, about, expected]);
  part("compaction", { auto: true });
  expect(tell("session.compacted", { sessionID: "main" })).toMatchObject([{ trigger: "auto" }]);
});

test("reports an error of no conversation as a notice, and ignores one after its turn", () => {
  const { tell, translator } = conversation();
  const error = (message?: string) => ({ error: { name: "UnknownError", data: { message } } });
  expect(tell("session.error", error("Broken."))).toMatchObject([
    { type: "notice", code: "agent", message: "Broken." },
  ]);
  expect(tell("session.error", error())).toEqual([]);
  expect(tell("session.error")).toEqual([]);
  expect(tell("session.error", { sessionID: "other", ...error("Broken.") })).toEqual([]);
  expect(translator.exited({ code: 1, signal: null }, "")).toMatchObject([
    { type: "process.exited", code: 1 },
    { type: "turn.ended", outcome: "failed" },
  ]);
  expect(tell("session.error", { sessionID: "main", ...error("Late.") })).toEqual([]);
  expect(translator.ended()).toEqual([]);
  expect(translator.exited({ code: 0, signal: null }, "")).toMatchObject([{ type: "process.exited", code: 0 }]);
});

test("ends the turn when the conversation does not fit twice, with or without a reason", () => {
  const fails = (data?: object) => {
    const { tell, message, translator, abort } = conversation();
    const error = { name: "ContextOverflowError", data };
    tell("session.status", { sessionID: "main", status: { type: "busy" } });
    tell("session.error", { sessionID: "main", error });
    expect(abort).not.toHaveBeenCalled();
    tell("session.error", { sessionID: "main", error });
    expect(abort).toHaveBeenCalledOnce();
    message("a", { time: { completed: 1 } });
    tell("session.idle", { sessionID: "main" });
    return translator.ended();
  };
  const ended = (message: string) => [
    { type: "turn.ended", outcome: "failed", error: { code: "context_too_long", message } },
  ];
  expect(fails({ message: "Too long." })).toMatchObject(ended("Too long."));
  expect(fails()).toMatchObject(ended("The conversation does not fit into the model's context."));
});

test("reports a failed background subagent as a failed task, and ignores messages to it", () => {
  const { tell, tool, message, translator } = conversation();
  const state = { status: "completed", input: {}, output: "", metadata: { background: true, sessionId: "sub" } };
  expect(tool("task", state)).toMatchObject([
    { type: "tool.started", callId: "c", tool: "task" },
    { type: "tool.completed", callId: "c" },
    { type: "task.started", taskId: "sub", callId: "c", title: "Subagent" },
  ]);
  const first = translator.turns.first;
  expect(message("v", { sessionID: "sub", role: "user" })).toEqual([]);
  expect(translator.turns.first).toBe(first);
  expect(tell("session.status", { sessionID: "sub", status: { type: "busy" } })).toEqual([]);
  expect(translator.sessions.running).toEqual(["sub"]);
  const failed = { sessionID: "sub", error: { name: "UnknownError" } };
  expect(tell("session.error", failed)).toEqual([{ type: "task.updated", taskId: "sub", status: "failed" }]);
  expect(tell("session.error", failed)).toEqual([]);
});

test("reports a changed model", () => {
  const { message, translator } = conversation();
  expect(translator.model).toBe("x/one");
  for (const [id, more, expected] of [
    ["b", { providerID: "x", modelID: "one" }, []],
    ["c", {}, []],
    ["d", { providerID: "x", modelID: "two" }, [{ type: "session.updated", model: "x/two", by: "agent" }]],
    ["d", { providerID: "x", modelID: "three" }, []],
  ] as const)
    expect(message(id, more)).toEqual(expected);
});

test("ignores parts and pieces that are incomplete or belong to nothing", () => {
  const { part, tell, tool } = conversation();
  for (const more of [{ id: undefined }, { sessionID: 1 }, { messageID: undefined }, { messageID: "unknown" }])
    expect(part("text", { text: "x", ...more })).toEqual([]);
  expect(part("new")).toEqual([]);
  expect(part("text", { text: "Hel" })).toMatchObject([{ type: "message.delta", text: "Hel" }]);
  for (const more of [{ field: "title" }, { partID: 1 }, { partID: "unknown" }, { delta: 1 }, { delta: undefined }])
    expect(tell("message.part.delta", { partID: "p", field: "text", delta: "lo", ...more })).toEqual([]);
  expect(tell("message.part.delta", { partID: "p", field: "text", delta: "lo" })).toMatchObject([{ text: "lo" }]);
  expect(tool("bash", { status: "running" }, { id: "q", callID: undefined })).toEqual([]);
  expect(tool("bash", { status: "pending" }, { id: "q" })).toEqual([]);
  expect(tool("bash", {}, { id: "q" })).toEqual([]);
});

test("reports a call without a name or input, and its end once", () => {
  const { tool } = conversation();
  const end = { status: "completed", output: "x" };
  expect(tool(undefined, end)).toMatchObject([
    { type: "tool.started", callId: "c", tool: "other", nativeName: "unknown", input: {} },
    { type: "tool.completed", callId: "c", output: { text: "x" } },
  ]);
  expect(tool(undefined, end)).toEqual([]);
  expect(tool(undefined, { status: "running" })).toEqual([]);
});

test("reports only the new part of a command's output, when it can be found", () => {
  const { tool } = conversation();
  const running = (output: unknown) => tool("bash", { status: "running", input: {}, metadata: { output } });
  expect(running("one\n").at(-1)).toMatchObject({ type: "tool.progress", output: "one\n" });
  expect(running("one\ntwo\n")).toMatchObject([{ type: "tool.progress", output: "two\n" }]);
  expect(running("...two\nthree\n")).toEqual([]);
  expect(running(undefined)).toEqual([]);
  expect(running("one\ntwo\nfour\n")).toMatchObject([{ output: "four\n" }]);
});

test("reports a changed input of an open call only", () => {
  const { tool, translator } = conversation();
  const change = () => translator.calls.inputChanged("c", { command: "ls" }, undefined);
  expect(change()).toEqual([]);
  tool("bash", { status: "running", input: { command: "rm x" } });
  expect(change()).toMatchObject([{ type: "tool.progress", callId: "c", input: { command: "ls" }, title: "Run ls" }]);
  tool("bash", { status: "error", error: "no" });
  expect(change()).toEqual([]);
});

test("asks twice again for invalid answers, and then fails the turn", () => {
  const { part, abort, message, translator, tell } = conversation();
  const none = { reason: "unknown", tokens: { input: 0, output: 0 } };
  const round = (id: string) => {
    message(id);
    return part("step-finish", { id: `p${id}`, messageID: id, ...none });
  };
  for (const attempt of [1, 2])
    expect(round(`b${attempt}`)).toMatchObject([
      { type: "agent.retrying", attempt, ofMax: 2, error: { code: "network" } },
    ]);
  expect(abort).not.toHaveBeenCalled();
  expect(round("b3")).toEqual([]);
  expect(abort).toHaveBeenCalledOnce();
  for (const id of ["a", "b1", "b2", "b3"]) message(id, { time: { completed: 1 } });
  tell("session.idle", { sessionID: "main" });
  expect(translator.ended()).toMatchObject([
    {
      type: "turn.ended",
      outcome: "failed",
      error: { code: "network", message: expect.stringContaining("answered instead") as string },
    },
  ]);
});

test("restarts the count after a valid answer", () => {
  const { part, abort, message } = conversation();
  const none = { reason: "unknown", tokens: { input: 0, output: 0 } };
  for (const [index, finish] of [
    none,
    none,
    { reason: "stop", tokens: { input: 1, output: 1 } },
    none,
    none,
  ].entries()) {
    message(`b${index}`);
    part("step-finish", { id: `p${index}`, messageID: `b${index}`, ...finish });
  }
  expect(abort).not.toHaveBeenCalled();
});
