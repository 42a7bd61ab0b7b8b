import { describe, expect, test, vi } from "vitest";
import { plainFailures } from "../../../test/support/plain-failures.ts";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { translatorOf } from "../../../test/fixtures/acp/replay.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEvent } from "../../events/types.ts";
import { openAcp, type AcpOptions, type AcpAgentOptions } from "./index.ts";
import { Settings } from "./settings.ts";

const modes = { currentModeId: "default", availableModes: [{ id: "default" }, { id: "plan" }, { id: "yolo" }] };
const models = { currentModelId: "a", availableModels: [{ modelId: "a", name: "A", description: "The first." }] };
const update = (more: object) => ({ method: "session/update", params: { sessionId: "s", update: more } });
const say = (text: string) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const aside = (text: string) => (text.startsWith("[MODE] ") ? { mode: text.slice(7) } : undefined);

/** Opens a session with an agent that accepts every request. */
async function open(quirks: AcpAgentOptions, options: Partial<AcpOptions> = {}) {
  const child = new StandInChild();
  let answered = 0;
  const answering = setInterval(() => {
    for (const message of child.received.slice(answered)) {
      answered++;
      const { id, method } = message as { id?: number; method?: string };
      if (id === undefined || method === undefined || method === "session/prompt") continue;
      if (method === "session/load") child.print({ id, result: { modes, models } }, update(say("old")));
      else
        child.print({
          id,
          result: { protocolVersion: 1, agentCapabilities: { loadSession: true }, sessionId: "s", modes, models },
        });
    }
  }, 1);
  const deadlines = defaultDeadlines;
  const common = {
    child,
    name: "Some",
    agent: "some",
    deadlines,
    limits: defaultLimits,
    cwd: "/w",
    mode: "ask",
  } as const;
  const session = await openAcp({ ...common, quirks, failures: plainFailures(), ...options }).finally(() =>
    clearInterval(answering),
  );
  const events: AgentEvent[] = [];
  void (async () => {
    for await (const batch of session.events) events.push(...batch);
  })();
  const heard = (method: string) => child.received.filter((message) => message["method"] === method);
  const seen = (type: AgentEvent["type"]) =>
    vi.waitFor(() => expect(events.map((event) => event.type)).toContain(type));
  return { child, session, events, heard, seen };
}

const permission = (toolCall: object) => ({
  id: 9,
  method: "session/request_permission",
  params: {
    sessionId: "s",
    toolCall: { toolCallId: "c", ...toolCall },
    options: [
      { optionId: "always", kind: "allow_always" },
      { optionId: "yes", kind: "allow_once" },
      { optionId: "no", kind: "reject_once" },
    ],
  },
});

test("sets an unlisted model when the agent accepts unlisted models", async () => {
  const { session, heard } = await open({ unlistedModels: true }, { model: "b" });
  expect(heard("session/set_model")).toMatchObject([{ params: { modelId: "b" } }]);
  expect(session.models).toEqual([{ id: "a", label: "A", description: "The first.", current: false }]);
  await session.close();
  await expect(open({}, { model: "b" })).rejects.toMatchObject({ code: "model_unknown" });
});

test("drops updates of an earlier conversation that arrive after session/load was answered", async () => {
  const { child, session, events, heard, seen } = await open({ replaysLate: true }, { resume: "s" });
  expect(heard("_reins/told").length).toBeGreaterThan(0);
  await session.prompt({ text: "go" });
  child.print(update(say("new")));
  await seen("message.delta");
  expect(events.filter(({ type }) => type === "message.delta" || type === "notice")).toMatchObject([{ text: "new" }]);
  await session.close();
});

describe("a permission request that overtakes the text before it", () => {
  const begun = async () => {
    const opened = await open({ announcesCalls: true });
    await opened.session.prompt({ text: "go" });
    opened.child.print(update(say("I wr")), permission({ name: "write" }));
    return opened;
  };

  test("is asked once its call is announced", async () => {
    const { child, session, events, seen } = await begun();
    child.print(update(say("ite it.")), update({ sessionUpdate: "tool_call", toolCallId: "c", name: "write" }));
    await seen("permission.requested");
    const told = events.map(({ type }) => type).filter((type) => !type.startsWith("session"));
    expect(told).toEqual([
      ...["message.delta", "message.delta", "message.completed"],
      ...["tool.started", "permission.requested"],
    ]);
    await session.close();
  });

  test("is asked after a delay when its call is never announced", async () => {
    const { session, events } = await begun();
    const asked = () => expect(events.map(({ type }) => type)).toContain("permission.requested");
    await vi.waitFor(asked);
    await session.close();
  });

  test("is cancelled with its turn", async () => {
    const { child, session, events, seen } = await begun();
    await seen("message.delta");
    await session.cancel();
    await child.hears((message) => message["id"] === 9);
    expect(child.received.at(-1)).toMatchObject({ id: 9, result: { outcome: { outcome: "cancelled" } } });
    expect(events.map(({ type }) => type)).not.toContain("permission.requested");
    await session.close();
  });
});

describe("a call announced before the text that precedes it", () => {
  const call = { sessionUpdate: "tool_call", toolCallId: "c", name: "write", rawInput: { path: "a" } };
  const begun = async () => {
    const opened = await open({ announcesCalls: true });
    await opened.session.prompt({ text: "go" });
    opened.child.print(update(say("I wr")), update(call), permission({ name: "write" }), update(say("ite it.")));
    return opened;
  };
  const inOrder = ["message.delta", "message.delta", "message.completed", "tool.started", "permission.requested"];

  test("is reported, with its permission, after that text", async () => {
    const { child, session, events, seen } = await begun();
    child.print(update({ sessionUpdate: "tool_call_update", toolCallId: "c", rawInput: { path: "a" } }));
    await seen("permission.requested");
    expect(events.map(({ type }) => type).filter((type) => !type.startsWith("session"))).toEqual(inOrder);
    await session.close();
  });

  test("is reported after a delay when no update follows", async () => {
    const { session, events } = await begun();
    const asked = () => expect(events.map(({ type }) => type)).toContain("permission.requested");
    await vi.waitFor(asked);
    expect(events.map(({ type }) => type).filter((type) => !type.startsWith("session"))).toEqual(inOrder);
    await session.close();
  });
});

describe("a question that overtakes the text before it", () => {
  const begun = async () => {
    const opened = await open({ announcesCalls: true });
    await opened.session.prompt({ text: "go" });
    const requestedSchema = { type: "object", properties: { colour: { type: "string", title: "Colour" } } };
    const params = { mode: "form", sessionId: "s", toolCallId: "c", message: "Which?", requestedSchema };
    opened.child.print(update(say("I as")), { id: 9, method: "elicitation/create", params });
    return opened;
  };

  test("is asked once its call is announced", async () => {
    const { child, session, events, seen } = await begun();
    child.print(update(say("k.")), update({ sessionUpdate: "tool_call", toolCallId: "c", name: "ask" }));
    await seen("question.requested");
    const told = events.map(({ type }) => type).filter((type) => type.startsWith("message") || type.startsWith("q"));
    expect(told).toEqual(["message.delta", "message.delta", "message.completed", "question.requested"]);
    await session.close();
  });

  test("is cancelled with its turn", async () => {
    const { child, session, seen } = await begun();
    await seen("message.delta");
    await session.cancel();
    await child.hears((message) => message["id"] === 9);
    expect(child.received.at(-1)).toMatchObject({ id: 9, result: { action: "cancel" } });
    await session.close();
  });
});

test("ends the call as cancelled when its denial came from cancelling the turn", async () => {
  const { session, child, events, seen } = await open({ silentDenials: true }, { mode: "full" });
  await session.prompt({ text: "go" });
  child.print(permission({ name: "other" }));
  await seen("permission.requested");
  const request = events.at(-1);
  if (request?.type === "permission.requested")
    session.answer(request.requestId, { decision: "deny", cancelled: true });
  await child.hears((message) => message["id"] === 9);
  expect(child.received.at(-1)).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
  await seen("tool.failed");
  expect(events.at(-1)).toMatchObject({ type: "tool.failed", reason: "cancelled" });
  await session.close();
});

test("sends a rejection for an allow with changed input, and ends the call as denied", async () => {
  const { session, child, events, seen } = await open({ silentDenials: true }, { mode: "ask" });
  await session.prompt({ text: "go" });
  child.print(permission({ name: "other" }));
  await seen("permission.requested");
  const request = events.at(-1);
  if (request?.type === "permission.requested")
    session.answer(request.requestId, { decision: "allow", changedInput: { path: "b" } });
  await child.hears((message) => message["id"] === 9);
  expect(child.received.at(-1)).toMatchObject({ result: { outcome: { optionId: "no" } } });
  await seen("tool.failed");
  expect(events.at(-1)).toMatchObject({ type: "tool.failed", reason: "denied" });
  await session.close();
});

test("decides a permission by `verdict` without asking, and replaces the chosen option by `sent`", async () => {
  const quirks: AcpAgentOptions = {
    silentDenials: true,
    verdict: ({ nativeName }, mode) => (nativeName === "harmless" ? "allow" : mode === "read" ? "deny" : undefined),
    sent: (optionId) => (optionId === "always" ? "yes" : optionId),
  };
  const asks = async (name: string, mode: AcpOptions["mode"]) => {
    const opened = await open(quirks, { mode });
    await opened.session.prompt({ text: "go" });
    opened.child.print(permission({ name }));
    await opened.seen("tool.started");
    return opened;
  };
  const harmless = await asks("harmless", "read");
  await harmless.child.hears((message) => message["id"] === 9);
  expect(harmless.child.received.at(-1)).toMatchObject({ result: { outcome: { optionId: "yes" } } });
  const denied = await asks("other", "read");
  await denied.seen("tool.failed");
  expect(denied.events.at(-1)).toMatchObject({ type: "tool.failed", reason: "denied" });
  const asked = await asks("other", "ask");
  await asked.seen("permission.requested");
  const request = asked.events.at(-1);
  expect(request).toMatchObject({ options: [{ id: "always" }, { id: "yes" }, { id: "no" }] });
  if (request?.type === "permission.requested")
    asked.session.answer(request.requestId, { decision: "allow", always: true });
  await asked.child.hears((message) => message["id"] === 9);
  expect(asked.child.received.at(-1)).toMatchObject({ result: { outcome: { optionId: "yes" } } });
  for (const { session } of [harmless, denied, asked]) await session.close();
});

test("follows the agent into a wider mode once after an approved plan, and warns otherwise", async () => {
  const quirks: AcpAgentOptions = {
    aside,
    modes: { plan: { id: "plan" }, ask: { id: "default" } },
    tool: () => ({ tool: "plan", given: { plan: "# Do it" } }),
  };
  const { child, session, events, seen } = await open(quirks, { mode: "plan" });
  await session.prompt({ text: "go" });
  child.print(permission({}));
  await seen("permission.requested");
  const asked = events.at(-1);
  expect(asked).toMatchObject({ tool: "plan", input: { plan: "# Do it" } });
  if (asked?.type === "permission.requested") session.answer(asked.requestId, { decision: "allow" });
  child.print(update(say("[MODE] default")));
  await seen("session.updated");
  expect(events.at(-1)).toMatchObject({ mode: "ask", nativeMode: "default", by: "agent" });
  child.print(update(say("[MODE] plan")), update(say("[MODE] default")));
  await seen("notice");
  expect(events.filter(({ type }) => type === "notice")).toMatchObject([{ code: "divergence" }]);
  await session.close();
});

test("cleans thoughts, and recognises a cancelled call by its output", () => {
  const translator = translatorOf({
    quirks: { thought: (text) => text.replace("****\n", ""), calledOff: (output) => output === "Called off." },
  });
  const out: AgentEvent[] = [];
  const thought = { type: "text", text: "****\nHm." };
  const content = [{ type: "content", content: { type: "text", text: "Called off." } }];
  const done = { sessionUpdate: "tool_call_update", status: "completed", content };
  translator.prompted();
  translator.update({ sessionUpdate: "agent_thought_chunk", content: thought }, out);
  translator.update({ ...done, toolCallId: "a" }, out);
  translator.cancelling = true;
  translator.update({ ...done, toolCallId: "b" }, out);
  expect(out).toMatchObject([
    { type: "thought.delta", text: "Hm." },
    { type: "thought.completed" },
    { type: "tool.started" },
    { type: "tool.completed" },
    { type: "tool.started" },
    { type: "tool.failed", reason: "cancelled", error: { message: "Called off." } },
  ]);
});

test("changes the blocks of a prompt with the `prompt` quirk", async () => {
  const { session, heard } = await open({ prompt: (blocks) => [{ type: "text", text: "First." }, ...blocks] });
  await session.prompt({ text: "go" });
  expect(heard("session/prompt")).toMatchObject([{ params: { prompt: [{ text: "First." }, { text: "go" }] } }]);
  await session.close();
});

test("offers a request for any model when the agent lists none", () => {
  const settings = new Settings();
  settings.opened({ sessionId: "s" });
  expect([settings.current("model"), settings.waysTo("model")]).toEqual([undefined, []]);
  expect(settings.anyModel.request("b")).toEqual({ method: "session/set_model", params: { modelId: "b" } });
  settings.chose("model", "b");
  expect(settings.current("model")).toEqual({ id: "b", label: "b" });
});

describe("asides", () => {
  const quirks: AcpAgentOptions = {
    aside: (text) =>
      text === "again"
        ? { discards: true, retrying: { kind: "overloaded", text: "Again." } }
        : text.startsWith("Error: ")
          ? { onlyLast: true, failure: { kind: "overloaded", text } }
          : undefined,
  };
  const told = (...texts: string[]) => {
    const translator = translatorOf({ quirks });
    const out: AgentEvent[] = [];
    translator.prompted();
    for (const text of texts) translator.update(say(text), out);
    translator.ended({ result: { stopReason: "end_turn" } }, out);
    return out.filter(({ type }) => type !== "message.delta" && type !== "turn.phase");
  };

  test("discards the streamed message when the agent retries", () => {
    expect(told("half an", "again", "half an", " answer")).toMatchObject([
      { type: "message.discarded", reason: "retry" },
      { type: "agent.retrying", attempt: 1 },
      { type: "message.completed", text: "half an answer" },
      { type: "turn.ended", outcome: "done" },
    ]);
  });

  test("treats an `onlyLast` aside as a failure at the end of the turn and as text elsewhere", () => {
    expect(told("well", "Error: it broke")).toMatchObject([
      { type: "message.completed", text: "well" },
      { type: "turn.ended", outcome: "failed", error: { message: "Error: it broke" } },
    ]);
    expect(told("Error: it", " broke, says the log")).toMatchObject([
      { type: "message.completed", text: "Error: it broke, says the log" },
      { type: "turn.ended", outcome: "done" },
    ]);
  });
});

test("attributes text to the subagent whose call is open", () => {
  const parent: AcpAgentOptions["parent"] = (_, open) => open.find(({ name }) => name === "task")?.id;
  const translator = translatorOf({ quirks: { parent } });
  const out: AgentEvent[] = [];
  const task = { toolCallId: "t", name: "task", rawInput: { prompt: "x" } };
  translator.prompted();
  translator.update({ sessionUpdate: "tool_call", ...task }, out);
  translator.update(say("inner"), out);
  translator.update({ sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed" }, out);
  translator.update(say("outer"), out);
  expect(out.filter(({ type }) => type === "message.delta")).toMatchObject([
    { text: "inner", parent: "t" },
    { text: "outer", parent: undefined },
  ]);
});

test("maps a failure to the outcomes max_turns and budget", () => {
  const quirks: AcpAgentOptions = {
    failure: ({ message }) =>
      message === "turns" ? { kind: "max_turns", text: message } : { kind: "budget_exceeded", text: message },
  };
  const ended = (message: string) => {
    const translator = translatorOf({ quirks });
    const out: AgentEvent[] = [];
    translator.prompted();
    translator.ended({ error: { code: -32603, message } }, out);
    return out.at(-1);
  };
  expect(ended("turns")).toMatchObject({ outcome: "max_turns", error: undefined });
  expect(ended("money")).toMatchObject({ outcome: "budget", error: { code: "budget_exceeded" } });
});

test("reports a compaction once, at its end", () => {
  const translator = translatorOf();
  const out: AgentEvent[] = [];
  translator.prompted();
  for (const status of ["in_progress", "completed", "completed"])
    translator.update({ sessionUpdate: "compaction_update", compactionId: "c", status }, out);
  expect(out).toEqual([{ type: "context.compacted", trigger: "auto" }]);
});

test("asks about the announced input when the permission's input is empty", async () => {
  const { child, session, events, seen } = await open({});
  await session.prompt({ text: "go" });
  child.print(update({ sessionUpdate: "tool_call", toolCallId: "c", name: "plan", rawInput: { plan: "# Do it" } }));
  child.print(permission({ name: "plan", rawInput: {} }));
  await seen("permission.requested");
  expect(events.at(-1)).toMatchObject({ input: { plan: "# Do it" } });
  await session.close();
});

test("with `usageEndsMessages`, discards a message that another follows before its usage update", () => {
  const piece = (messageId: string | undefined, text: string, by?: string) => ({
    sessionUpdate: "agent_message_chunk",
    messageId,
    by,
    content: { type: "text", text },
  });
  const told = (usageEndsMessages: boolean, ...updates: object[]) => {
    const translator = translatorOf({ quirks: { usageEndsMessages, parent: ({ by }) => by as string | undefined } });
    const out: AgentEvent[] = [];
    translator.prompted();
    for (const update of updates) translator.update(update, out);
    translator.ended({ result: { stopReason: "end_turn" } }, out);
    return out.map(({ type }) => type).filter((type) => /discarded|message.completed/.test(type));
  };
  const usage = { sessionUpdate: "usage_update", used: 1, size: 2 };
  const again = [piece("a", "half"), piece("b", "half and"), piece("b", " whole"), usage];
  expect(told(true, ...again)).toEqual(["message.discarded", "message.completed"]);
  expect(told(false, ...again)).toEqual(["message.completed", "message.completed"]);
  expect(told(true, piece("a", "one"), usage, piece("b", "two"), usage)).toEqual([
    "message.completed",
    "message.completed",
  ]);
  // Ends of subagents' messages are not reported, so the first message counts as complete.
  expect(told(true, piece("a", "one", "task"), piece("b", "two", "task"))).toEqual([
    "message.completed",
    "message.completed",
  ]);
  // A notice of the agent has no id and may arrive in the middle of a message.
  expect(told(true, piece("a", "one "), piece(undefined, "Notice"), piece("a", "and two"), usage)).not.toContain(
    "message.discarded",
  );
});
