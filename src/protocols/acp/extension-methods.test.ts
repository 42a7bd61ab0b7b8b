import { expect, test, vi } from "vitest";
import { plainFailures } from "../../../test/support/plain-failures.ts";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEvent } from "../../events/types.ts";
import { openAcp, type AcpAgentOptions } from "./index.ts";

const yesOrNo = [
  { id: "yes", kind: "allow_once", label: "Yes" },
  { id: "no", kind: "reject_once", label: "No" },
] as const;
const entries = [{ content: "one", status: "pending" }];

const methods: AcpAgentOptions["methods"] = {
  "some/list": ({ items }) =>
    Array.isArray(items)
      ? { says: "updates", updates: [{ sessionUpdate: "plan", entries: items }], answer: { taken: true } }
      : undefined,
  "some/ask": ({ toolCallId }) => ({
    says: "question",
    callId: String(toolCallId),
    questions: [{ id: "q", text: "Which?", options: [{ label: "A" }], multiple: false }],
    answered: ({ decision, answers }) => ({ decision, answers }),
    cancelled: { gone: true },
  }),
  "some/approve": ({ toolCallId }) => ({
    says: "permission",
    call: { toolCallId, name: "some_plan", rawInput: { plan: "# Do" } },
    options: yesOrNo,
    updates: [{ sessionUpdate: "plan", entries }],
    answered: ({ decision, message }) => ({ decision, message }),
    cancelled: { gone: true },
  }),
};

async function open(more: AcpAgentOptions = {}) {
  const child = new StandInChild();
  const answering = async (method: string, result: object) => {
    const { id } = await child.hears((message) => message["method"] === method);
    child.print({ id, result });
  };
  void answering("initialize", { protocolVersion: 1, agentCapabilities: { loadSession: true } });
  void answering("session/new", { sessionId: "s" });
  const deadlines = defaultDeadlines;
  const quirks: AcpAgentOptions = { methods, tool: () => ({ tool: "plan" }), ...more };
  const common = {
    child,
    name: "Some",
    agent: "some",
    quirks,
    failures: plainFailures(),
    deadlines,
    limits: defaultLimits,
  } as const;
  const session = await openAcp({ ...common, cwd: "/w", mode: "ask", stateOf: (id) => `mine:${id}` });
  const events: AgentEvent[] = [];
  void (async () => {
    for await (const batch of session.events) events.push(...batch);
  })();
  const seen = async <Type extends AgentEvent["type"]>(type: Type) => {
    await vi.waitFor(() => expect(events.map((event) => event.type)).toContain(type));
    return events.findLast((event): event is Extract<AgentEvent, { type: Type }> => event.type === type)!;
  };
  const answer = async (id: number) => {
    const { result, error } = await child.hears((message) => message["id"] === id && !("method" in message));
    return error ?? result;
  };
  return { child, session, events, seen, answer };
}

test("handles an informational method both as a notification and as a request, and answers the request", async () => {
  const { child, session, events, answer } = await open();
  await session.prompt({ text: "go" });
  child.print(
    { method: "some/list", params: { items: entries } },
    { id: 7, method: "some/list", params: { items: [] } },
  );
  expect(await answer(7)).toEqual({ taken: true });
  await vi.waitFor(() =>
    expect(events.filter(({ type }) => type === "plan.updated")).toMatchObject([
      { entries: [{ text: "one", status: "pending" }] },
      { entries: [] },
    ]),
  );
  await session.close();
});

test("refuses unreadable parameters with a notice, and unknown methods as not found", async () => {
  const { child, session, events, answer } = await open();
  await session.prompt({ text: "go" });
  child.print({ id: 7, method: "some/list", params: {} }, { id: 8, method: "toString", params: {} });
  expect(await answer(7)).toMatchObject({ code: -32602 });
  expect(await answer(8)).toMatchObject({ code: -32601 });
  child.print({ method: "some/list" });
  await vi.waitFor(() => expect(events.map((event) => event.type === "notice" && event.code)).toContain("divergence"));
  expect(events.filter(({ type }) => type === "notice")).toMatchObject([{ code: "unparsed" }, { code: "divergence" }]);
  await session.close();
});

test("answers a question once, and cancels the next question with its turn", async () => {
  const { child, session, seen, answer } = await open();
  await session.prompt({ text: "go" });
  child.print({ id: 7, method: "some/ask", params: { toolCallId: "c" } });
  const { requestId, callId } = await seen("question.requested");
  expect(callId).toBeUndefined();
  session.answer(requestId, { decision: "answer", answers: { q: "A" } });
  session.answer(requestId, { decision: "skip" });
  expect(await answer(7)).toEqual({ decision: "answer", answers: { q: "A" } });
  child.print({ id: 8, method: "some/ask", params: { toolCallId: "c" } });
  await vi.waitFor(async () => expect((await seen("question.requested")).requestId).not.toBe(requestId));
  await session.cancel();
  expect(await answer(8)).toEqual({ gone: true });
  await session.close();
});

test.each([
  ["allow", "tool.completed", {}],
  ["deny", "tool.failed", { reason: "denied" }],
] as const)("a permission by extension method: %s ends the call", async (decision, type, more) => {
  const { child, session, events, seen, answer } = await open();
  await session.prompt({ text: "go" });
  child.print({ id: 7, method: "some/approve", params: { toolCallId: "c" } });
  const asked = await seen("permission.requested");
  expect(asked).toMatchObject({ callId: "c", tool: "plan", input: { plan: "# Do" }, options: yesOrNo });
  session.answer(asked.requestId, { decision, message: "so" });
  expect(await answer(7)).toEqual({ decision, message: "so" });
  expect(await seen(type)).toMatchObject({ callId: "c", ...more });
  const late = { sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" };
  child.print({ method: "session/update", params: { sessionId: "s", update: late } }, { method: "some/list" });
  await seen("notice");
  expect(events.filter(({ type: said }) => said === "tool.completed" || said === "tool.failed")).toHaveLength(1);
  expect(events.filter(({ type: said }) => said === "plan.updated")).toHaveLength(1);
  await session.close();
});

test("reports a question or permission sent as a notification or outside a turn, and asks nobody", async () => {
  const { child, session, events, seen, answer } = await open();
  child.print(
    { id: 7, method: "some/approve", params: { toolCallId: "c" } },
    { method: "some/list", params: { items: [] } },
  );
  expect(await answer(7)).toEqual({ gone: true });
  expect(await seen("notice")).toMatchObject({ code: "late" });
  expect(session.state).toBeUndefined();
  await session.prompt({ text: "go" });
  expect(session.state).toBe("mine:s");
  child.print({ method: "some/ask", params: {} }, { method: "some/approve", params: { toolCallId: "c" } });
  await seen("plan.updated");
  expect(events.filter((event) => event.type === "notice" && event.code === "divergence")).toHaveLength(2);
  expect(events.some(({ type }) => type === "question.requested" || type === "permission.requested")).toBe(false);
  session.say({ type: "notice", level: "info", code: "heard", message: "Elsewhere." });
  await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ code: "heard" }));
  await session.close();
});

test("treats a call announced and asked about under two ids as one call, in either order", async () => {
  const sameCall: AcpAgentOptions["sameCall"] = (update, calls) => {
    const other = String(update["toolCallId"]).startsWith("ask_");
    return calls.find(({ id }) => id.startsWith("ask_") !== other)?.id;
  };
  const { child, session, events, seen, answer } = await open({ sameCall, tool: () => ({ tool: "web_fetch" }) });
  await session.prompt({ text: "go" });
  const update = (more: object) => ({ method: "session/update", params: { sessionId: "s", update: more } });
  const ask = (id: number, toolCallId: string) => ({
    id,
    method: "session/request_permission",
    params: { sessionId: "s", toolCall: { toolCallId }, options: [{ optionId: "yes", kind: "allow_once" }] },
  });
  const done = (toolCallId: string) =>
    update({
      sessionUpdate: "tool_call_update",
      toolCallId,
      status: "completed",
      rawOutput: { stdout: "out", stderr: "err" },
    });
  child.print(update({ sessionUpdate: "tool_call", toolCallId: "one", kind: "fetch" }), ask(7, "ask_0"));
  session.answer((await seen("permission.requested")).requestId, { decision: "allow" });
  await answer(7);
  child.print(done("one"), ask(8, "ask_1"));
  await vi.waitFor(() => expect(events.filter(({ type }) => type === "permission.requested")).toHaveLength(2));
  session.answer((await seen("permission.requested")).requestId, { decision: "allow" });
  await answer(8);
  child.print(update({ sessionUpdate: "tool_call", toolCallId: "two", kind: "fetch" }), done("two"));
  await vi.waitFor(() => expect(events.filter(({ type }) => type === "tool.completed")).toHaveLength(2));
  expect(events.flatMap((event) => (event.type === "tool.started" ? [event.callId] : []))).toEqual(["one", "ask_1"]);
  expect(await seen("tool.completed")).toMatchObject({ callId: "ask_1", output: { text: "out\nerr" } });
  await session.close();
});

test("reports a call as failed when `undone` says so, and corrects content with `content`", async () => {
  const { child, session, events, seen } = await open({
    tool: () => undefined,
    undone: ({ rejected }) => (rejected === true ? { message: "No.", reason: "denied" } : undefined),
    content: (items) => items.map((item) => ({ ...item, newText: "right\n" })),
    unready: ({ title }) => title === "Unknown yet",
  });
  await session.prompt({ text: "go" });
  const update = (more: object) => ({ method: "session/update", params: { sessionId: "s", update: more } });
  const content = [{ type: "diff", path: "/w/a", oldText: null, newText: "wrong\n" }];
  child.print(
    update({ sessionUpdate: "tool_call", toolCallId: "a", title: "Unknown yet" }),
    update({
      sessionUpdate: "tool_call_update",
      toolCallId: "a",
      kind: "edit",
      title: "write",
      status: "completed",
      content,
    }),
    update({ sessionUpdate: "tool_call_update", toolCallId: "b", status: "completed", rawOutput: { rejected: true } }),
  );
  expect(await seen("tool.failed")).toMatchObject({ callId: "b", reason: "denied", error: { message: "No." } });
  expect(events.find(({ type }) => type === "tool.started")).toMatchObject({ nativeName: "write", kind: "edit" });
  expect(await seen("file.changed")).toMatchObject({ path: "a", diff: expect.stringContaining("+right") as string });
  await session.close();
});
