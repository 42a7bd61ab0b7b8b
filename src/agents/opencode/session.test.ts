import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Drive } from "../../../test/support/drive.ts";
import type { Replies } from "../../../test/support/drive.ts";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { PrivateFiles } from "../shared/private-files.ts";
import { withoutText } from "./server.ts";
import { OpencodeSession } from "./session.ts";

const main = "ses_main";
let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), "reins-test-"))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

type Body = { readonly [key: string]: unknown };

/** Answers requests as OpenCode's server does, one line each; `answers` replaces some. */
class StandInOpencode extends StandInChild {
  ready = true;
  readonly answers: Record<string, object> = {};
  readonly asked: { method: string; params: Body }[] = [];
  /** What it was told about calls that waited. */
  readonly released: { id: unknown; result: Body }[] = [];
  #events = 0;

  override write(text: string): Promise<void> {
    for (const line of text.split("\n").filter((part) => part !== "")) this.#hear(JSON.parse(line) as Body);
    return Promise.resolve();
  }

  #hear({ id, method, params = {}, result }: Body): void {
    if (typeof method !== "string") return void this.released.push({ id, result: result as Body });
    this.asked.push({ method, params: params as Body });
    if (method === "http/listen")
      this.print({ jsonrpc: "2.0", method: "http/listening", params: { connected: "first" } });
    if (id === undefined) return;
    if (method === "GET /agent" && this.ready) this.print({ jsonrpc: "2.0", method: "reins/ready" });
    const usual: Record<string, unknown> = {
      "GET /agent": [
        { name: "build", mode: "primary" },
        { name: "plan", mode: "primary" },
      ],
      "GET /config": { model: "a/one" },
      "GET /config/providers": {
        providers: [{ id: "a", models: { one: { name: "One", limit: { context: 1000 } }, two: {} } }],
      },
      "GET /global/health": { version: "1.18.33" },
      "GET /mcp": {},
      "POST /mcp": { tools: { status: "failed", error: "no such file" } },
      "POST /session": { id: main, slug: "brave-owl", time: { created: 7 } },
      "GET /path": { worktree: cwd },
      [`GET /session/${main}`]: { id: main, tokens: { input: 10, output: 5 }, cost: 1 },
      [`POST /session/${main}/fork`]: { id: "ses_copy" },
      [`POST /session/${main}/abort`]: true,
    };
    this.print({ jsonrpc: "2.0", id, ...(this.answers[method] ?? { result: usual[method] ?? null }) });
  }

  event(type: string, properties: object): void {
    this.print({ jsonrpc: "2.0", method: "event", params: { id: `evt_${++this.#events}`, type, properties } });
  }

  /** A message of the person's and the beginning of an answer to it. */
  begin(count = 1): void {
    this.event("message.updated", { info: { id: `msg_${count}0`, sessionID: main, role: "user" } });
    this.event("session.status", { sessionID: main, status: { type: "busy" } });
    this.event("message.updated", { info: this.answerInfo(count) });
  }

  answerInfo(count = 1, more: object = {}): object {
    const about = { parentID: `msg_${count}0`, providerID: "a", modelID: "one", time: { created: 1 } };
    return { id: `msg_${count}1`, sessionID: main, role: "assistant", ...about, ...more };
  }

  part(part: object): void {
    this.event("message.part.updated", { part: { messageID: "msg_11", sessionID: main, ...part } });
  }

  say(text: string, id = "prt_text"): void {
    this.part({ id, type: "text", text: "" });
    this.event("message.part.delta", { partID: id, sessionID: main, field: "text", delta: text });
    this.part({ id, type: "text", text, time: { start: 1, end: 2 } });
  }

  tool(state: object, tool = "bash", id = "call_1"): void {
    this.part({ id: `prt_${id}`, type: "tool", callID: id, tool, state });
  }

  hold(input: object, tool = "bash", id = "call_1"): void {
    const params = { tool, sessionID: main, callID: id, input };
    this.print({ jsonrpc: "2.0", id: `hold-${id}`, method: "reins/hold", params });
  }

  end(count = 1, more: object = {}): void {
    this.event("message.updated", {
      info: this.answerInfo(count, { time: { created: 1, completed: 2 }, finish: "stop", ...more }),
    });
    this.idle();
  }

  idle(): void {
    this.event("session.status", { sessionID: main, status: { type: "idle" } });
    this.event("session.idle", { sessionID: main });
  }

  get methods(): string[] {
    return this.asked.map(({ method }) => method);
  }

  body(method: string): Body | undefined {
    return this.asked.findLast((asked) => asked.method === method)?.params;
  }
}

const context: AgentContext = {
  processes: undefined as never,
  env: {},
  deadlines: { ...defaultDeadlines, start: 2_000, request: 2_000 },
  limits: defaultLimits,
  redact: createRedactor({}),
};

const prompt = `POST /session/${main}/prompt_async`;

function made(child: StandInOpencode, more: Partial<OpenOptions> = {}, resume?: string): OpencodeSession {
  const options: OpenOptions = { sessionId: "s", cwd, mode: "ask", ...more };
  const server = withoutText(child);
  return new OpencodeSession({ context, options, server, files: new PrivateFiles("opencode"), resume });
}

async function opened(child: StandInOpencode, more: Partial<OpenOptions> = {}, resume?: string) {
  const session = made(child, more, resume);
  child.print("opencode server listening on http://127.0.0.1:4096");
  await session.open();
  return { session, drive: new Drive(session) };
}

/** A busy machine is no failure. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 2 });

/** Reads while it prompts: an answer is read like everything else. */
async function turnOf(drive: Drive, text: string, replies?: Replies): Promise<AgentEvent[]> {
  const taken = drive.session.prompt({ text });
  const said = drive.until(({ type }) => type === "turn.ended", replies);
  await Promise.race([taken, said]);
  return said;
}

const types = (events: readonly AgentEvent[]) => events.map(({ type }) => type);
const one = <Type extends AgentEvent["type"]>(events: readonly AgentEvent[], type: Type) =>
  events.find((event): event is AgentEventOf<Type> => event.type === type);

test("it is connected, held, and listened to before anything is prompted", async () => {
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
    "settings it does not understand",
    (child: StandInOpencode) =>
      void (child.answers["GET /agent"] = {
        error: { code: 400, message: "x", data: { name: "ConfigInvalidError", data: { path: "opencode.json" } } },
      }),
    "invalid_input",
  ],
])("%s is told", async (_what, prepare, code) => {
  const child = new StandInOpencode();
  prepare(child);
  await expect(opened(child)).rejects.toMatchObject({ code, agent: "opencode" });
});

test("one that never says where it listens is hung", async () => {
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

test("a conversation goes on, or is copied, or is not there", async () => {
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

test("a model that is not there is refused, at the start and later", async () => {
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

test("a turn: what is said, what it used, and its end", async () => {
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

test("a second prompt is refused while it works, and may be steered into it", async () => {
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

test("the second idle of a turn that is over does not end the next", async () => {
  const child = new StandInOpencode();
  const { drive } = await opened(child);
  child.begin();
  child.event("session.error", {
    sessionID: main,
    error: { name: "APIError", data: { message: "No key", statusCode: 401 } },
  });
  child.end(1, { error: { name: "APIError", data: { message: "No key", statusCode: 401 } } });
  expect(one(await turnOf(drive, "one"), "turn.ended")).toMatchObject({
    outcome: "failed",
    error: { code: "not_authenticated" },
  });
  child.idle();
  const second = turnOf(drive, "two");
  await eventually(() => expect(child.methods.filter((method) => method === prompt)).toHaveLength(2));
  child.idle();
  child.begin(2);
  child.end(2);
  expect(one(await second, "turn.ended")).toMatchObject({ outcome: "done" });
});

/** A turn with one call that waits. */
async function call(
  replies: Replies,
  tool = "bash",
  input: object = { command: "touch x" },
  more: Partial<OpenOptions> = {},
) {
  const child = new StandInOpencode();
  const { session, drive } = await opened(child, more);
  const turn = turnOf(drive, "go", replies);
  await eventually(() => expect(child.methods).toContain(prompt));
  child.begin();
  // What is asked about it comes before what is told of it.
  child.hold(input, tool);
  child.tool({ status: "running", input, time: { start: 1 } }, tool);
  const release = async () => {
    await eventually(() => expect(child.released).toHaveLength(1));
    return child.released[0]!.result;
  };
  return { child, session, drive, turn, release };
}

test("a call waits for the policy, and a person is asked where the policy leaves it open", async () => {
  const asked: AgentEventOf<"permission.requested">[] = [];
  const permission = (event: AgentEventOf<"permission.requested">) => {
    asked.push(event);
    return { decision: "allow" as const };
  };
  const { child, turn, release } = await call({ permission });
  expect(await release()).toEqual({ decision: "allow" });
  child.tool({
    status: "completed",
    input: { command: "touch x" },
    output: "(no output)",
    metadata: { exit: 0 },
    time: { start: 1, end: 5 },
  });
  child.end();
  const said = await turn;
  expect(asked).toMatchObject([{ tool: "shell", title: "Run touch x", callId: "call_1" }]);
  const order = types(said).filter((type) => /^tool|^permission/.test(type));
  expect(order).toEqual(["tool.started", "tool.held", "permission.requested", "tool.completed"]);
  expect(one(said, "tool.completed")).toMatchObject({ output: { text: "" }, exitCode: 0, durationMs: 4 });
});

test.each([
  ["allowed by the policy", { hold: { decision: "allow" as const } }, "bash", { decision: "allow" }],
  [
    "denied by the policy",
    { hold: { decision: "deny" as const, message: "No." } },
    "bash",
    { decision: "deny", message: "No." },
  ],
  ["a mere look", {}, "read", { decision: "allow" }],
  [
    "denied by a person",
    { permission: { decision: "deny" as const, message: "Not here." } },
    "bash",
    { decision: "deny", message: "Not here." },
  ],
  [
    "changed by a person",
    { permission: { decision: "allow" as const, changedInput: { command: "pwd" } } },
    "bash",
    { decision: "allow", input: { command: "pwd" } },
  ],
  [
    "changed into nonsense",
    { permission: { decision: "allow" as const, changedInput: 7 } },
    "bash",
    { decision: "deny" },
  ],
])("a call is %s", async (_what, replies: Replies, tool, reply) => {
  const { child, turn, release } = await call(replies, tool);
  expect(await release()).toMatchObject(reply);
  child.end();
  await turn;
});

test("a denied call is a denial, whatever the program says of it", async () => {
  const { child, turn, release } = await call({ permission: { decision: "deny" } });
  await release();
  child.tool({ status: "error", input: {}, error: "It was not allowed." });
  child.end();
  expect(one(await turn, "tool.failed")).toMatchObject({ reason: "denied" });
});

test("stop ends the turn first, and only then the call is answered", async () => {
  const { child, turn } = await call({ permission: { decision: "deny", stop: true } });
  await eventually(() => expect(child.methods).toContain(`POST /session/${main}/abort`));
  expect(child.released).toEqual([]);
  child.event("session.error", { sessionID: main, error: { name: "MessageAbortedError", data: {} } });
  child.idle();
  child.tool({ status: "error", input: {}, error: "Tool execution aborted", metadata: { interrupted: true } });
  child.end();
  const said = await turn;
  expect(one(said, "tool.failed")).toMatchObject({ reason: "denied" });
  expect(one(said, "turn.ended")).toMatchObject({ outcome: "cancelled" });
  expect(child.released).toMatchObject([{ result: { decision: "deny" } }]);
});

test("always holds for the rest of the session; a filter holds without asking", async () => {
  let asked = 0;
  const permission = () => {
    asked++;
    return { decision: "allow" as const, always: true };
  };
  const { child, turn, drive, release } = await call({ permission });
  await release();
  child.end();
  await turn;
  const second = turnOf(drive, "again", { permission });
  await eventually(() => expect(child.methods.filter((method) => method === prompt)).toHaveLength(2));
  child.begin(2);
  child.event("message.part.updated", {
    part: {
      messageID: "msg_21",
      sessionID: main,
      id: "prt_2",
      type: "tool",
      callID: "call_2",
      tool: "bash",
      state: { status: "running", input: { command: "touch x" } },
    },
  });
  child.hold({ command: "touch x" }, "bash", "call_2");
  await eventually(() => expect(child.released).toHaveLength(2));
  expect(asked).toBe(1);
  child.end(2);
  await second;
  const filtered = await call({}, "bash", { command: "x" }, { tools: { disallowed: ["shell"] } });
  expect(await filtered.release()).toMatchObject({ decision: "deny", message: "The tool bash is not allowed here." });
});

test("its own rules: asked about where nobody was asked before, and answered where somebody was", async () => {
  const asked: AgentEventOf<"permission.requested">[] = [];
  const permission = (event: AgentEventOf<"permission.requested">) => {
    asked.push(event);
    return { decision: "deny" as const, message: "Not there." };
  };
  const looked = await call({ permission }, "read", { filePath: "/etc/hostname" });
  await looked.release();
  const native = {
    id: "per_1",
    sessionID: main,
    permission: "external_directory",
    patterns: ["/etc/*"],
    metadata: {},
    tool: { callID: "call_1" },
  };
  looked.child.event("permission.asked", native);
  const reply = "POST /permission/per_1/reply";
  await eventually(() => expect(looked.child.body(reply)).toEqual({ reply: "reject", message: "Not there." }));
  expect(asked).toMatchObject([
    { tool: "read", title: "Read /etc/hostname", reason: "It is outside of the workspace." },
  ]);
  looked.child.end();
  await looked.turn;

  const allowed = await call({ hold: { decision: "allow" } });
  await allowed.release();
  allowed.child.event("permission.asked", native);
  await eventually(() => expect(allowed.child.body(reply)).toEqual({ reply: "once" }));
  allowed.child.end();
  await allowed.turn;

  const further = await call({}, "read", { filePath: "/etc/hostname" }, { directories: ["/etc"] });
  await further.release();
  further.child.event("permission.asked", native);
  await eventually(() => expect(further.child.body(reply)).toEqual({ reply: "once" }));
  further.child.end();
  await further.turn;
});

test("another denial takes a permission along", async () => {
  const { child, turn, release } = await call({ permission: undefined }, "read", { filePath: "/etc/hostname" });
  await release();
  child.event("permission.asked", {
    id: "per_1",
    sessionID: main,
    permission: "external_directory",
    patterns: ["/etc/*"],
    tool: { callID: "call_1" },
  });
  child.event("permission.replied", { sessionID: main, requestID: "per_1", reply: "reject" });
  child.event("permission.replied", { sessionID: main, requestID: "per_other", reply: "reject" });
  child.end();
  const said = await turn;
  // It may be withdrawn before it was even asked.
  for (const event of said)
    if (event.type === "permission.resolved") expect(event).toMatchObject({ requestId: "per_1", by: "agent" });
});

test("a question is answered in its words; one that nobody answers too", async () => {
  const questions = [{ question: "Which?", header: "Q", options: [{ label: "Red" }], multiple: true, custom: false }];
  const answered = await call({ question: { decision: "answer", answers: { q1: ["Red"] } } }, "question", {
    questions,
  });
  await answered.release();
  answered.child.event("question.asked", { id: "que_1", sessionID: main, questions, tool: { callID: "call_1" } });
  await eventually(() => expect(answered.child.body("POST /question/que_1/reply")).toEqual({ answers: [["Red"]] }));
  answered.child.end();
  expect(one(await answered.turn, "question.requested")).toMatchObject({
    questions: [{ id: "q1", multiple: true, free: false }],
  });
  const skipped = await call({ question: { decision: "skip", message: "Nobody is there." } }, "question", {
    questions,
  });
  await skipped.release();
  skipped.child.event("question.asked", { id: "que_2", sessionID: main, questions, tool: { callID: "call_1" } });
  await eventually(() =>
    expect(skipped.child.body("POST /question/que_2/reply")).toEqual({ answers: [["Nobody is there."]] }),
  );
  skipped.child.end();
  await skipped.turn;
});

test("a plan is approved before its tool runs, and then it asks nobody", async () => {
  const hold = () => {
    mkdirSync(join(cwd, ".opencode", "plans"), { recursive: true });
    writeFileSync(join(cwd, ".opencode", "plans", "7-brave-owl.md"), "# Plan\n\n1. Do it\n");
    return { decision: "defer" as const };
  };
  const replies = { hold, permission: { decision: "allow" as const } };
  const { child, turn, release } = await call(replies, "plan_exit", {}, { mode: "plan" });
  expect(await release()).toEqual({ decision: "allow" });
  const questions = [{ question: "Switch?", header: "Build", options: [{ label: "Yes" }, { label: "No" }] }];
  child.event("question.asked", { id: "que_1", sessionID: main, questions, tool: { callID: "call_1" } });
  await eventually(() => expect(child.body("POST /question/que_1/reply")).toEqual({ answers: [["Yes"]] }));
  child.tool({ status: "completed", input: {}, output: "ok" }, "plan_exit");
  child.end();
  const said = await turn;
  expect(one(said, "permission.requested")).toMatchObject({
    tool: "plan",
    input: { plan: expect.stringMatching(/Do it/) as string },
  });
  expect(said).toContainEqual({ type: "session.updated", mode: "ask", nativeMode: "build", by: "agent" });
});

test("a cancel aborts, and answers what waits when the turn is over", async () => {
  const { child, session, turn, drive } = await call({ permission: undefined });
  await eventually(() => expect(types(drive.events)).toContain("permission.requested"));
  await session.cancel();
  await eventually(() => expect(child.methods).toContain(`POST /session/${main}/abort`));
  child.idle();
  child.tool({ status: "error", input: {}, error: "Tool execution aborted", metadata: { interrupted: true } });
  child.end();
  const said = await turn;
  expect(one(said, "tool.failed")).toMatchObject({ reason: "cancelled" });
  expect(one(said, "turn.ended")).toMatchObject({ outcome: "cancelled" });
  expect(child.released).toMatchObject([{ result: { decision: "deny" } }]);
});

test("an answer that never ends is not waited for after a cancel", async () => {
  const child = new StandInOpencode();
  const { session, drive } = await opened(child);
  const turn = turnOf(drive, "go");
  await eventually(() => expect(child.methods).toContain(prompt));
  child.begin();
  child.say("Half");
  await drive.session.cancel();
  await session.cancel();
  child.idle();
  expect(one(await turn, "turn.ended")).toMatchObject({ outcome: "cancelled" });
  expect(child.methods.filter((method) => method.endsWith("/abort"))).toHaveLength(1);
});

test("it tries again, visibly, and not for ever", async () => {
  const child = new StandInOpencode();
  const { drive } = await opened(child);
  const retry = (attempt: number) =>
    child.event("session.status", {
      sessionID: main,
      status: { type: "retry", attempt, message: "Server error", next: Date.now() + 1 },
    });
  const turn = turnOf(drive, "go");
  await eventually(() => expect(child.methods).toContain(prompt));
  child.begin();
  child.part({ id: "prt_half", type: "text", text: "" });
  child.event("message.part.delta", { partID: "prt_half", field: "text", delta: "Half an ans" });
  retry(1);
  retry(2);
  retry(3);
  await eventually(() => expect(child.methods).toContain(`POST /session/${main}/abort`));
  child.end(1, { error: { name: "MessageAbortedError", data: {} } });
  const said = await turn;
  expect(said.filter(({ type }) => type === "agent.retrying")).toHaveLength(2);
  expect(one(said, "message.discarded")).toMatchObject({ messageId: "prt_half", reason: "retry" });
  expect(one(said, "turn.ended")).toMatchObject({ outcome: "failed", error: { code: "overloaded" } });
});

test.each([
  ["rounds", { maxTurns: 1 }, { outcome: "max_turns" }],
  ["money", { maxBudgetUsd: 0.1 }, { outcome: "budget", error: { code: "budget_exceeded" } }],
])("a limit of %s ends the turn", async (_what, more, ending) => {
  const child = new StandInOpencode();
  const { drive } = await opened(child, more);
  child.begin();
  child.part({ id: "prt_f", type: "step-finish", reason: "tool-calls", cost: 0.5, tokens: { input: 7, output: 3 } });
  child.end();
  expect(one(await turnOf(drive, "go"), "turn.ended")).toMatchObject(ending);
  expect(child.methods).toContain(`POST /session/${main}/abort`);
});

test("what does not fit is not summed up again and again", async () => {
  const child = new StandInOpencode();
  const { drive } = await opened(child);
  const overflow = () =>
    child.event("session.error", {
      sessionID: main,
      error: { name: "ContextOverflowError", data: { message: "Too long." } },
    });
  child.begin();
  overflow();
  child.event("session.compacted", { sessionID: main });
  overflow();
  child.end();
  const said = await turnOf(drive, "go");
  expect(one(said, "context.compacted")).toMatchObject({ trigger: "auto" });
  expect(one(said, "turn.ended")).toMatchObject({ outcome: "failed", error: { code: "context_too_long" } });
});

test("/compact is a request of its own", async () => {
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

test("what a subagent does belongs to the call that started it", async () => {
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

test("a subagent in the background outlives its turn, and its report is a turn of the agent's own", async () => {
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

test("a stream that broke and is there again: what was missed is told", async () => {
  const child = new StandInOpencode();
  const { drive } = await opened(child);
  const turn = turnOf(drive, "go");
  await eventually(() => expect(child.methods).toContain(prompt));
  child.begin();
  child.part({ id: "prt_text", type: "text", text: "" });
  child.event("message.part.delta", { partID: "prt_text", field: "text", delta: "Half " });
  child.answers[`GET /session/${main}/message?limit=50`] = {
    result: [
      {
        info: { id: "msg_00", sessionID: main, role: "assistant" },
        parts: [{ id: "p", type: "text", text: "Old", messageID: "msg_00", sessionID: main }],
      },
      {
        info: child.answerInfo(1, { time: { completed: 2 }, finish: "stop" }),
        parts: [
          {
            id: "prt_text",
            messageID: "msg_11",
            sessionID: main,
            type: "text",
            text: "Half and half",
            time: { end: 2 },
          },
        ],
      },
    ],
  };
  child.answers["GET /session/status"] = { result: {} };
  child.print({ jsonrpc: "2.0", method: "http/listening", params: { connected: "again" } });
  const said = await turn;
  expect(said.filter(({ type }) => type === "message.completed")).toMatchObject([{ text: "Half and half" }]);
});

test("a stream that is lost for good ends the program, and a program that ends fails the turn", async () => {
  const child = new StandInOpencode();
  const { session, drive } = await opened(child);
  const turn = turnOf(drive, "go");
  await eventually(() => expect(child.methods).toContain(prompt));
  child.begin();
  child.print({ jsonrpc: "2.0", method: "http/lost", params: { message: "ECONNRESET." } });
  expect(one(await turn, "turn.ended")).toMatchObject({ outcome: "failed", error: { code: "agent_hung" } });
  expect(child.stopped).toBe(1);
  await drive.rest();
  await expect(session.prompt({ text: "more" })).rejects.toMatchObject({ code: "agent_crashed" });

  const killed = new StandInOpencode();
  const other = await opened(killed);
  const failing = turnOf(other.drive, "go");
  await eventually(() => expect(killed.methods).toContain(prompt));
  killed.begin();
  killed.exit({ signal: "SIGKILL" });
  const said = await failing;
  expect(types(said).slice(-2)).toEqual(["process.exited", "turn.ended"]);
  expect(one(said, "turn.ended")).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
});

test("an MCP server that cannot be connected is said in the first turn", async () => {
  const child = new StandInOpencode();
  const { drive } = await opened(child, { mcpServers: { tools: { command: "/nope" } } });
  expect(child.body("POST /mcp")).toEqual({ name: "tools", config: { type: "local", command: ["/nope"] } });
  child.begin();
  child.end();
  expect(one(await turnOf(drive, "go"), "notice")).toMatchObject({
    code: "mcp",
    message: "The MCP server tools is failed: no such file.",
  });
});

test("a prompt that is refused is not a turn", async () => {
  const child = new StandInOpencode();
  const { session, drive } = await opened(child);
  const said = drive.until(({ type }) => type === "turn.ended");
  child.answers[prompt] = { error: { code: 400, message: "Bad" } };
  await expect(session.prompt({ text: "go" })).rejects.toMatchObject({ code: "protocol_error" });
  delete child.answers[prompt];
  const taken = session.prompt({ text: "again" });
  await eventually(() => expect(child.methods.filter((method) => method === prompt)).toHaveLength(2));
  child.begin();
  child.end();
  expect(one(await said, "turn.ended")).toMatchObject({ outcome: "done" });
  await taken;
  await session.close();
  await expect(session.prompt({ text: "more" })).rejects.toMatchObject({ code: "invalid_input" });
});
