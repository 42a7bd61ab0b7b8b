import { expect, test, vi } from "vitest";
import { plainFailures } from "../../../test/support/plain-failures.ts";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEvent } from "../../events/types.ts";
import { openAcp, type AcpOptions, type AcpSession } from "./index.ts";

const update = (sessionId: string, more: object) => ({ method: "session/update", params: { sessionId, update: more } });
const text = (said: string) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: said } });

/** Opens a session with an agent that the test plays. */
async function open(options: Partial<AcpOptions> = {}, answer: object = {}, capabilities: object = {}) {
  const child = new StandInChild();
  const opening = openAcp({
    child,
    name: "Some",
    agent: "some",
    quirks: {},
    failures: plainFailures(),
    deadlines: defaultDeadlines,
    limits: defaultLimits,
    cwd: "/w",
    mode: "ask",
    ...options,
  });
  await child.hears(({ method }) => method === "initialize");
  child.print({ id: 1, result: { protocolVersion: 1, agentCapabilities: capabilities } });
  await child.hears(({ method }) => String(method).startsWith("session/"));
  child.print({ id: 2, result: { sessionId: "s", ...answer } });
  const session = await opening;
  const events: AgentEvent[] = [];
  const reading = (async () => {
    for await (const batch of session.events) events.push(...batch);
  })();
  const hears = (method: string) => child.hears((message) => message["method"] === method);
  return { child, session, events, reading, hears };
}

const seen = (events: readonly AgentEvent[], type: AgentEvent["type"]) =>
  vi.waitFor(() => {
    const found = events.find((event) => event.type === type);
    expect(found).toBeDefined();
    return found!;
  });

const permission = (id: unknown, more: object = {}) => ({
  id,
  method: "session/request_permission",
  params: {
    sessionId: "s",
    toolCall: { toolCallId: "c", kind: "execute", title: "ls" },
    options: [{ optionId: "y", kind: "allow_once" }],
    ...more,
  },
});

async function ask(session: AcpSession): Promise<void> {
  await session.prompt({ text: "go" });
}

test("offers forms to the agent, but no files and no terminals", async () => {
  const { child } = await open(
    { quirks: { sessionMeta: { a: 1 } }, directories: ["/x"] },
    {},
    { sessionCapabilities: { additionalDirectories: {} } },
  );
  expect(child.received[0]).toMatchObject({
    params: {
      protocolVersion: 1,
      clientCapabilities: {
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
        elicitation: { form: {} },
      },
    },
  });
  expect(child.received[1]).toEqual({
    jsonrpc: "2.0",
    id: 2,
    method: "session/new",
    params: { cwd: "/w", mcpServers: [], additionalDirectories: ["/x"], _meta: { a: 1 } },
  });
});

test("rejects a session without an id", async () => {
  await expect(open({}, { sessionId: undefined })).rejects.toThrow("Some started a session without an id.");
});

test("ignores updates of another session", async () => {
  const { child, session, events } = await open();
  await ask(session);
  child.print(update("other", text("a")), update("s", text("b")), { method: "session/update" });
  await seen(events, "message.delta");
  expect(events.filter(({ type }) => type === "message.delta")).toMatchObject([{ text: "b" }]);
  expect(events.filter(({ type }) => type === "notice")).toHaveLength(1);
  child.exit();
});

test("resolves a permission that the agent withdraws and ignores a later answer", async () => {
  const { child, session, events } = await open();
  await ask(session);
  child.print(permission(5));
  const asked = await seen(events, "permission.requested");
  child.print({ method: "$/cancel_request", params: { requestId: 5 } });
  expect(await seen(events, "permission.resolved")).toMatchObject({ outcome: "cancelled", by: "agent" });
  const before = child.received.length;
  if (asked.type === "permission.requested") session.answer(asked.requestId, { decision: "allow" });
  expect(child.received).toHaveLength(before);
  child.exit();
});

test("cancels a withdrawn form, and declines an unsupported form and one outside a turn", async () => {
  const { child, session, events } = await open();
  const form = (id: number, more: object = {}) => ({
    id,
    method: "elicitation/create",
    params: { sessionId: "s", message: "m", requestedSchema: { properties: { a: { type: "string" } } }, ...more },
  });
  child.print(form(1));
  await child.hears(({ id, result }) => id === 1 && JSON.stringify(result) === '{"action":"decline"}');
  await ask(session);
  child.print(form(2, { mode: "url" }), form(3));
  await seen(events, "question.requested");
  child.print({ method: "$/cancel_request", params: { requestId: 3 } });
  expect(await seen(events, "question.resolved")).toMatchObject({ outcome: "cancelled", by: "agent" });
  child.exit();
});

test("cancels a permission that names no call", async () => {
  const { child, session, events } = await open();
  await ask(session);
  child.print(permission(5, { toolCall: {} }));
  await child.hears(({ id, result }) => id === 5 && JSON.stringify(result) === '{"outcome":{"outcome":"cancelled"}}');
  expect(await seen(events, "notice")).toMatchObject({ code: "unparsed" });
  child.exit();
});

test("cancels permissions while the turn is being cancelled", async () => {
  const { child, session, events, hears } = await open();
  await ask(session);
  child.print(permission(5));
  await seen(events, "permission.requested");
  await session.cancel();
  await hears("session/cancel");
  expect(child.received.at(-1)).toMatchObject({ id: 5, result: { outcome: { outcome: "cancelled" } } });
  child.print(permission(6));
  const second = await vi.waitFor(() => {
    const requests = events.filter((event) => event.type === "permission.requested");
    expect(requests).toHaveLength(2);
    return requests[1]!;
  });
  session.answer(second.requestId, { decision: "allow" });
  expect(child.received.at(-1)).toMatchObject({ id: 6, result: { outcome: { outcome: "cancelled" } } });
  child.print({ id: 3, result: { stopReason: "cancelled" } });
  expect(await seen(events, "turn.ended")).toMatchObject({ outcome: "cancelled" });
  child.exit();
});

test("answers every pending request when the turn ends", async () => {
  const { child, session, events } = await open();
  await ask(session);
  child.print(permission(5), { id: 3, result: { stopReason: "end_turn" } });
  await seen(events, "turn.ended");
  expect(child.received.at(-1)).toMatchObject({ id: 5, result: { outcome: { outcome: "cancelled" } } });
  child.exit();
});

test("does not send a cancelled prompt, and refuses prompts while busy, after the exit and after close", async () => {
  const { child, session, reading, hears } = await open(
    {},
    {},
    { loadSession: true, sessionCapabilities: { close: {} } },
  );
  const sending = session.prompt({ text: "go", attachments: [{ kind: "file", path: import.meta.filename }] });
  await expect(session.prompt({ text: "too" })).rejects.toMatchObject({ code: "session_busy" });
  await session.cancel();
  await expect(sending).rejects.toMatchObject({ code: "cancelled" });
  expect(session.state).toBeUndefined();
  const closing = session.close();
  await hears("session/close");
  await closing;
  expect(child.stopped).toBe(1);
  await expect(session.prompt({ text: "go" })).rejects.toMatchObject({ code: "invalid_input" });
  await reading;

  const gone = await open();
  gone.child.exit({ code: 1 });
  await gone.reading;
  await expect(gone.session.prompt({ text: "go" })).rejects.toMatchObject({ code: "agent_crashed" });
  expect(gone.events.map(({ type }) => type)).toEqual(["session.started", "process.exited"]);
});

test("falls back to the older request when the agent does not implement the newer one for models", async () => {
  const options = [{ value: "b", name: "B" }];
  const { child, session, hears } = await open(
    {},
    {
      configOptions: [{ id: "model", type: "select", currentValue: "a", options }],
      models: { currentModelId: "a", availableModels: [{ modelId: "b" }] },
    },
  );
  const configured = session.configure({ model: "b" });
  await hears("session/set_config_option");
  child.print({ id: 3, error: { code: -32601, message: "Method not found" } });
  await hears("session/set_model");
  child.print({ id: 4, result: {} });
  await configured;
  const refused = session.configure({ model: "b" });
  child.print({ id: 5, error: { code: -32603, message: "no" } });
  await expect(refused).rejects.toMatchObject({ code: "protocol_error" });
  child.exit();
});

test("sets only the options of a mode that differ, and keeps the old mode when the agent refuses", async () => {
  const option = (id: string, currentValue: string) => ({
    id,
    type: "select",
    currentValue,
    options: [{ value: "on" }, { value: "off" }],
  });
  const quirks = {
    modes: { ask: { id: "agent" }, full: { id: "agent", options: { allow_all: "on", other: "x", gone: "y" } } },
  };
  const { child, session, hears } = await open(
    { quirks },
    {
      configOptions: [option("allow_all", "off"), option("other", "x")],
      modes: { currentModeId: "agent", availableModes: [{ id: "agent" }] },
    },
  );
  const wider = session.configure({ mode: "full" });
  await hears("session/set_config_option");
  child.print({ id: 3, error: { code: -32603, message: "Internal error" } });
  await expect(wider).rejects.toMatchObject({ code: "protocol_error" });
  const again = session.configure({ mode: "full" });
  child.print({ id: 4, result: { configOptions: [option("allow_all", "on")] } });
  await again;
  expect(child.received.filter(({ method }) => method === "session/set_config_option")).toHaveLength(2);
  child.exit();
});

test("reports the reason of a permission, and native messages with `raw`", async () => {
  const { child, session, events } = await open({ raw: true });
  await ask(session);
  const content = [{ type: "content", content: { type: "text", text: " Because. " } }];
  child.print(permission(5, { toolCall: { toolCallId: "c", kind: "edit", content } }));
  expect(await seen(events, "permission.requested")).toMatchObject({ reason: "Because.", raw: { id: 5 } });
  child.print({ id: 3, result: { stopReason: "end_turn" } });
  expect(await seen(events, "turn.ended")).toMatchObject({ raw: { result: { stopReason: "end_turn" } } });
  child.exit();
});
