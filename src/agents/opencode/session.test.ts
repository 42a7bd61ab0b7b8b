import { expect, test, vi } from "vitest";
import {
  call,
  eventually,
  main,
  made,
  one,
  opened,
  prompt,
  StandInOpencode,
  turnOf,
  types,
} from "../../../test/fixtures/opencode/stand-in.ts";

test("connects, loads the plugin and reads events before the first prompt", async () => {
  const child = new StandInOpencode();
  const { session, drive } = await opened(child);
  expect(child.methods).toEqual([
    "http/connect",
    "GET /agent",
    "GET /config",
    "GET /config/providers",
    "GET /global/health",
    "GET /path",
    "GET /mcp",
    "POST /session",
    "http/listen",
  ]);
  expect(session.state).toBeUndefined();
  const [started] = await drive.until(({ type }) => type === "session.updated");
  expect(started).toMatchObject({
    model: "a/one",
    modelLabel: "One",
    nativeMode: "build",
    resumed: false,
    agentVersion: "1.18.33",
  });
});

test.each([
  ["a plugin that was not loaded", (child: StandInOpencode) => void (child.ready = false), "protocol_error"],
  ["a program that ends", (child: StandInOpencode) => child.exit({ code: 1 }), "agent_crashed"],
  [
    "settings that it cannot read",
    (child: StandInOpencode) =>
      void (child.answers["GET /agent"] = {
        error: { code: 400, message: "x", data: { name: "ConfigInvalidError", data: { path: "opencode.json" } } },
      }),
    "invalid_input",
  ],
])("reports %s", async (_what, prepare, code) => {
  const child = new StandInOpencode();
  prepare(child);
  await expect(opened(child)).rejects.toMatchObject({ code, agent: "opencode" });
});

test("accepts a plugin that reports after the server has answered", async () => {
  const child = new StandInOpencode();
  child.ready = false;
  const opening = opened(child);
  await vi.waitFor(() => expect(child.methods).toContain("GET /agent"));
  child.print({ jsonrpc: "2.0", method: "reins/ready" });
  await opening;
});

test("reports a crash when the program ends while its plugin loads", async () => {
  const child = new StandInOpencode();
  child.ready = false;
  const opening = opened(child);
  await vi.waitFor(() => expect(child.methods).toContain("GET /agent"));
  child.exit({ code: 1 });
  await expect(opening).rejects.toMatchObject({ code: "agent_crashed" });
});

test("reports a program that never prints its address as hung", async () => {
  vi.useFakeTimers();
  try {
    const failed = made(new StandInOpencode())
      .open()
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await failed).toMatchObject({ code: "agent_hung" });
  } finally {
    vi.useRealTimers();
  }
});

test("resumes or forks a conversation, and rejects an unknown one", async () => {
  const child = new StandInOpencode();
  expect((await opened(child, { state: "x" }, main)).session.state).toBe(`opencode:1:${main}`);
  const copy = new StandInOpencode();
  const forked = await opened(copy, { fork: true }, main);
  expect(forked.session.state).toBeUndefined();
  expect(copy.methods).toContain(`POST /session/${main}/fork`);
  const gone = new StandInOpencode();
  gone.answers[`GET /session/${main}`] = { error: { code: 404, message: "x", data: { name: "NotFoundError" } } };
  await expect(opened(gone, {}, main)).rejects.toMatchObject({ code: "session_not_found" });
});

test("rejects an unknown model, at the start and later", async () => {
  await expect(opened(new StandInOpencode(), { model: "nope" })).rejects.toMatchObject({ code: "model_unknown" });
  const child = new StandInOpencode();
  const { session, drive } = await opened(child, { model: "two" });
  await expect(session.configure({ model: "nope" })).rejects.toMatchObject({ code: "model_unknown" });
  await session.configure({ model: "a/one", mode: "plan" });
  void turnOf(drive, "hi").catch(() => {});
  await eventually(() =>
    expect(child.body(prompt)).toMatchObject({ agent: "plan", model: { providerID: "a", modelID: "one" } }),
  );
});

test("reports the messages, usage and end of a turn", async () => {
  const child = new StandInOpencode();
  const { session, drive } = await opened(child, { systemPrompt: { text: "Be kind.", how: "append" } });
  child.begin();
  child.say("Hello");
  child.part({
    id: "prt_f",
    type: "step-finish",
    reason: "stop",
    cost: 0.5,
    tokens: { input: 7, output: 3, reasoning: 2, cache: { read: 1 } },
  });
  child.end();
  const said = await turnOf(drive, "hi");
  expect(child.body(prompt)).toEqual({ parts: [{ type: "text", text: "hi" }], agent: "build", system: "Be kind." });
  expect(types(said).filter((type) => type.startsWith("message"))).toEqual(["message.delta", "message.completed"]);
  expect(one(said, "usage.updated")).toMatchObject({ scope: "turn", context: { used: 13, size: 1000 } });
  expect(one(said, "turn.ended")).toMatchObject({
    outcome: "done",
    usage: { input: 7, output: 5, thought: 2, cacheRead: 1 },
    costUsd: 0.5,
  });
  expect(one(said, "turn.ended")?.origin).toBeUndefined();
  expect(session.state).toBe(`opencode:1:${main}`);
});

test("refuses a second prompt during a turn, and accepts it as steering", async () => {
  const child = new StandInOpencode();
  const { session, drive } = await opened(child);
  const turn = turnOf(drive, "one");
  await eventually(() => expect(child.methods).toContain(prompt));
  await expect(session.prompt({ text: "two" })).rejects.toMatchObject({ code: "session_busy" });
  child.begin();
  await eventually(() => expect(types(drive.events)).toContain("session.updated"));
  const steered = session.steer({ text: "also" });
  await eventually(() => expect(child.methods.filter((method) => method === prompt)).toHaveLength(2));
  child.event("message.updated", { info: { id: "msg_20", sessionID: main, role: "user" } });
  child.say("First");
  child.end();
  child.event("message.updated", { info: child.answerInfo(2) });
  child.end(2);
  const said = await turn;
  await steered;
  expect(said.filter(({ type }) => type === "turn.ended")).toHaveLength(1);
  await expect(session.steer({ text: "late" })).rejects.toMatchObject({ code: "invalid_input" });
});

test("sends /compact as a separate request", async () => {
  const child = new StandInOpencode();
  const { drive } = await opened(child);
  const turn = turnOf(drive, "/compact");
  await eventually(() =>
    expect(child.body(`POST /session/${main}/summarize`)).toEqual({ providerID: "a", modelID: "one", auto: false }),
  );
  child.event("message.updated", { info: { id: "msg_10", sessionID: main, role: "user" } });
  child.event("message.part.updated", {
    part: { id: "prt_c", sessionID: main, messageID: "msg_10", type: "compaction", auto: false },
  });
  child.event("message.updated", { info: child.answerInfo(1, { summary: true }) });
  child.part({ id: "prt_s", type: "text", text: "A summary", time: { end: 1 } });
  child.event("session.compacted", { sessionID: main });
  child.end(1, { summary: true });
  const said = await turn;
  expect(one(said, "context.compacted")).toMatchObject({ trigger: "manual" });
  expect(types(said)).not.toContain("message.completed");
  const refused = new StandInOpencode();
  refused.answers[`POST /session/${main}/summarize`] = { error: { code: 400, message: "Nothing to sum up" } };
  const other = await opened(refused);
  expect(one(await turnOf(other.drive, "/compact"), "turn.ended")).toMatchObject({ outcome: "failed" });
});

test("assigns a subagent's work to the call that started it", async () => {
  const { child, turn, release } = await call({}, "task", {
    description: "Look",
    prompt: "x",
    subagent_type: "general",
  });
  await release();
  child.event("session.created", { info: { id: "ses_childchild", parentID: main } });
  child.tool({ status: "running", input: {}, metadata: { sessionId: "ses_childchild" } }, "task");
  child.event("message.updated", { info: { id: "msg_c", sessionID: "ses_childchild", role: "assistant", time: {} } });
  child.event("message.part.updated", {
    part: {
      id: "prt_c",
      messageID: "msg_c",
      sessionID: "ses_childchild",
      type: "text",
      text: "Inside",
      time: { end: 1 },
    },
  });
  child.event("session.idle", { sessionID: "ses_childchild" });
  child.event("session.created", { info: { id: "ses_stranger" } });
  child.event("message.updated", { info: { id: "msg_s", sessionID: "ses_stranger", role: "assistant", time: {} } });
  child.tool(
    {
      status: "completed",
      input: {},
      output: '<task id="x" state="completed">\n<task_result>\nInside\n</task_result>\n</task>',
    },
    "task",
  );
  child.end();
  const said = await turn;
  expect(said.filter(({ parent }) => parent === "call_1").map(({ type }) => type)).toEqual([
    "message.delta",
    "message.completed",
  ]);
  expect(one(said, "tool.completed")).toMatchObject({ output: { text: "Inside" } });
});

test("keeps a background subagent after its turn, and reports its result as a turn of the agent", async () => {
  const { child, turn, release, drive } = await call({}, "task", { description: "Look", background: true });
  await release();
  child.tool(
    {
      status: "completed",
      input: { description: "Look" },
      output: '<task id="x" state="running">',
      metadata: { sessionId: "ses_bg", background: true },
    },
    "task",
  );
  child.end();
  const said = await turn;
  expect(one(said, "turn.ended")).toMatchObject({ outcome: "done", background: ["ses_bg"] });
  child.event("session.idle", { sessionID: "ses_bg" });
  child.begin(2);
  child.event("message.part.updated", {
    part: { id: "prt_r", messageID: "msg_21", sessionID: main, type: "text", text: "It reported.", time: { end: 1 } },
  });
  child.end(2);
  const own = await drive.until(({ type }) => type === "turn.ended");
  expect(one(own, "task.updated")).toMatchObject({ taskId: "ses_bg", status: "completed" });
  expect(one(own, "turn.ended")).toMatchObject({ origin: "agent", outcome: "done", background: [] });
});
