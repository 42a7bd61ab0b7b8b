import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ReceivedMessage } from "../../../test/support/stand-in-child.ts";
import { agentContext, StandInProgram } from "../../../test/support/stand-in-program.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { AgentSession, OpenOptions } from "../contract.ts";
import { openSession } from "./session.ts";

const conversation = "11111111-2222-4333-8444-555555555555";
const state = `qwen:1:${conversation}`;
const opened: AgentSession[] = [];
let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "reins-test-"));
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((session) => session.close()));
  await rm(cwd, { recursive: true, force: true });
});

const asks = (subtype: string) => (message: ReceivedMessage) => message.request?.["subtype"] === subtype;
const answers = (id: string) => (message: ReceivedMessage) => message.response?.["request_id"] === id;
const init = (more: object = {}) => ({ type: "system", subtype: "init", session_id: conversation, tools: [], ...more });
const result = { type: "result", subtype: "success", session_id: conversation, is_error: false, result: "" };
const failed = (message: string, more: object = {}) => ({ ...result, is_error: true, error: { message }, ...more });
const call = (id: string, name: string, input: object, parent: string | null = null) => ({
  type: "assistant",
  uuid: `a-${id}`,
  parent_tool_use_id: parent,
  message: { content: [{ type: "tool_use", id, name, input }] },
});
const write = { file_path: "a.txt", content: "x" };

/** A Qwen Code that answers requests correctly; its hooks appear among its lines. */
class StandInQwen extends StandInProgram {
  refusals: Record<string, string> = {};
  initialized: object = { session_id: conversation, capabilities: { can_handle_can_use_tool: true } };
  #hooks = 0;

  override write(text: string): Promise<void> {
    const written = super.write(text);
    const { request_id: id, request } = this.received.at(-1) ?? {};
    const subtype = request?.["subtype"];
    if (typeof subtype !== "string") return written;
    const response = subtype === "initialize" ? this.initialized : {};
    const error = this.refusals[subtype];
    const body = error === undefined ? { subtype: "success", response } : { subtype: "error", error };
    this.print({ type: "control_response", response: { request_id: id, ...body } });
    return written;
  }

  /** Posts a hook and returns the id under which it waits. */
  hook(name: string, input: object, more: object = {}): string {
    const id = `hook-${++this.#hooks}`;
    const whole = { session_id: conversation, transcript_path: "/nowhere/projects/p/chats/t.jsonl", ...input };
    this.print({ type: "control_request", request_id: id, request: { subtype: "hook", name, input: whole, ...more } });
    return id;
  }

  begin(more: object = {}, used?: object): void {
    this.hook("SessionStart", {}, { used });
    this.print(init(more));
  }

  async told(id: string): Promise<unknown> {
    return (await this.hears(answers(id))).response?.response;
  }
}

async function open(child: StandInQwen, options: Partial<OpenOptions> = {}): Promise<AgentSession> {
  const env = { PATH: "/bin", QWEN_CODE_SYSTEM_DEFAULTS_PATH: "/nowhere" };
  const context = agentContext({ processes: child.processes, env });
  const program = { path: "qwen", args: ["first"] };
  const session = await openSession(context, { sessionId: "s", cwd, mode: "ask", ...options }, program);
  opened.push(session);
  return session;
}

/** Reads all events, checks them against the schema, and returns them one at a time. */
function reader(session: AgentSession) {
  const waiting: AgentEvent[] = [];
  let ended = false;
  let news = Promise.withResolvers<void>();
  const read = async () => {
    for await (const batch of session.events) {
      waiting.push(...batch.map((item) => agentEventSchema.parse(item)));
      news.resolve();
      news = Promise.withResolvers();
    }
  };
  void read().finally(() => {
    ended = true;
    news.resolve();
  });
  return async function next<Type extends AgentEvent["type"]>(type: Type) {
    for (;;) {
      const event = waiting.shift();
      if (event?.type === type) return event as Extract<AgentEvent, { type: Type }>;
      if (event !== undefined) continue;
      if (ended) throw new Error(`No ${type} came.`);
      await news.promise;
    }
  };
}

async function begun(options: Partial<OpenOptions> = {}) {
  const child = new StandInQwen();
  const session = await open(child, options);
  const next = reader(session);
  await session.prompt({ text: "hello" });
  child.begin({ permission_mode: "default" });
  await next("session.started");
  return { child, session, next };
}

test("starts with settings that only it can read, and holds its hooks", async () => {
  const child = new StandInQwen();
  const session = await open(child, { systemPrompt: { text: "Be kind.", how: "replace" }, mcpServers: {} });
  const [spec] = child.launched;
  expect(spec).toMatchObject({ command: "qwen", cwd, agent: "qwen", sessionId: "s", stdin: "pipe" });
  const settings = spec!.env["QWEN_CODE_SYSTEM_DEFAULTS_PATH"]!;
  const url = /http:\/\/127\.0\.0\.1:\d+\/[\w-]{20,}/.exec(await readFile(settings, "utf8"))![0];
  expect((await fetch(url)).status).toBe(404);
  expect(await readFile(spec!.env["QWEN_SYSTEM_MD"]!, "utf8")).toBe("Be kind.");
  expect(spec!.args.join(" ")).not.toContain(url);
  expect(session.state).toBeUndefined();
  await session.close();
  expect(existsSync(dirname(settings))).toBe(false);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("sends a prompt as one message, and starts the session with its state", async () => {
  const { child, session, next } = await begun();
  expect(child.received.find(({ type }) => type === "user")).toMatchObject({ message: { content: "hello" } });
  expect(session.state).toBe(state);
  await expect(session.prompt({ text: "again" })).rejects.toMatchObject({ code: "session_busy" });
  child.print(result);
  expect(await next("turn.ended")).toMatchObject({ outcome: "done" });
});

test("holds a tool in its hook for the policy: deny, allow, ask", async () => {
  const { child, session, next } = await begun();
  const decide = async (id: string, decision: "allow" | "deny" | "ask" | "defer") => {
    child.print(call(id, "write_file", write));
    const hook = child.hook("PreToolUse", { tool_call_id: id, tool_name: "write_file", tool_input: write });
    const held = await next("tool.held");
    expect(held).toMatchObject({ callId: id, tool: "write", input: write });
    session.answer(held.requestId, { decision, message: "Because." });
    return child.told(hook);
  };
  expect(await decide("c1", "deny")).toMatchObject({
    hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "Because." },
  });
  expect(await decide("c2", "allow")).toEqual({});
  expect(await decide("c3", "defer")).toEqual({});
  expect(await decide("c4", "ask")).toMatchObject({ hookSpecificOutput: { permissionDecision: "ask" } });
});

test("accepts a hook before the line that describes its call", async () => {
  const { child, next } = await begun();
  child.hook("PreToolUse", { tool_call_id: "c1", tool_name: "write_file", tool_input: write });
  child.print(call("c1", "write_file", write));
  expect(await next("tool.started")).toMatchObject({ callId: "c1" });
  expect(await next("tool.held")).toMatchObject({ callId: "c1" });
});

test("runs a tool with the input changed in the permission", async () => {
  const { child, session, next } = await begun();
  child.print(call("c1", "write_file", write));
  const hook = child.hook("PermissionRequest", { tool_name: "write_file", tool_input: write });
  const asked = await next("permission.requested");
  expect(asked).toMatchObject({ callId: "c1", options: [{ id: "allow" }, { id: "always-edits" }, {}, {}] });
  session.answer(asked.requestId, { decision: "allow", changedInput: { ...write, content: "y" } });
  expect(await child.told(hook)).toEqual({
    hookSpecificOutput: {
      hookEventName: "PermissionRequest",
      decision: { behavior: "allow", updatedInput: { ...write, content: "y" } },
    },
  });
});

test("continues a permission over the wire after the hook's deadline without asking twice", async () => {
  const { child, session, next } = await begun();
  child.print(call("c1", "write_file", write));
  const hook = child.hook("PermissionRequest", { tool_name: "write_file", tool_input: write });
  const asked = await next("permission.requested");
  child.print({ type: "control_cancel_request", request_id: hook, late: true });
  const request = { subtype: "can_use_tool", tool_name: "write_file", tool_use_id: "c1", input: write };
  child.print({ type: "control_request", request_id: "wire-1", request }, call("c2", "edit", {}), init());
  expect(await next("tool.started")).toMatchObject({ callId: "c2" });
  session.answer(asked.requestId, { decision: "allow" });
  expect(await child.told("wire-1")).toMatchObject({ behavior: "allow" });
});

test("asks about a subagent's edit, although the program would not", async () => {
  const { child, session, next } = await begun();
  child.print(call("task-1", "agent", { prompt: "p" }), call("c1", "write_file", write, "task-1"));
  const agent_id = "general-purpose-task-1";
  const hook = child.hook("PreToolUse", { tool_call_id: "c1", tool_name: "write_file", tool_input: write, agent_id });
  const held = await next("tool.held");
  expect(held).toMatchObject({ parent: "task-1" });
  session.answer(held.requestId, { decision: "defer" });
  const asked = await next("permission.requested");
  expect(asked).toMatchObject({ callId: "c1", parent: "task-1" });
  session.answer(asked.requestId, { decision: "deny", message: "No." });
  expect(await child.told(hook)).toMatchObject({
    hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "No." },
  });
});

test("denies a subagent's call at the hook's deadline and reports it", async () => {
  const { child, next } = await begun();
  child.print(call("task-1", "agent", { prompt: "p" }));
  const hook = child.hook("PermissionRequest", {
    tool_name: "run_shell_command",
    tool_input: { command: "x" },
    agent_id: "general-purpose-task-1",
  });
  child.print(call("c1", "run_shell_command", { command: "x" }, "task-1"));
  const { requestId } = await next("permission.requested");
  child.print({ type: "control_cancel_request", request_id: hook, late: true });
  expect(await next("permission.resolved")).toMatchObject({ requestId, outcome: "denied", by: "deadline" });
});

test("ignores hooks of a Qwen Code that a tool started", async () => {
  const { child } = await begun();
  const hook = child.hook("PreToolUse", { session_id: "another", tool_name: "write_file", tool_input: write });
  expect(await child.told(hook)).toEqual({});
});

test("answers a question by its index", async () => {
  const { child, session, next } = await begun();
  const input = { questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }] };
  child.print(call("c1", "ask_user_question", input));
  const request = { subtype: "can_use_tool", tool_name: "ask_user_question", tool_use_id: "c1", input };
  child.print({ type: "control_request", request_id: "wire-1", request });
  const asked = await next("question.requested");
  session.answer(asked.requestId, { decision: "answer", answers: { q1: ["A", "B"] } });
  expect(await child.told("wire-1")).toEqual({
    behavior: "allow",
    updatedInput: { ...input, answers: { "0": "A, B" } },
  });
});

test("repeats a cancel when the turn begins, because the program ignores it before", async () => {
  const child = new StandInQwen();
  const session = await open(child);
  const next = reader(session);
  await session.prompt({ text: "hello" });
  await session.cancel();
  expect(child.received.filter(asks("interrupt"))).toHaveLength(1);
  child.begin();
  await next("session.started");
  expect(child.received.filter(asks("interrupt"))).toHaveLength(2);
  child.print(failed("Operation cancelled."));
  expect(await next("turn.ended")).toMatchObject({ outcome: "cancelled" });
});

test("releases waiting hooks on a cancel", async () => {
  const { child, session, next } = await begun();
  child.print(call("c1", "write_file", write));
  const hook = child.hook("PermissionRequest", { tool_name: "write_file", tool_input: write });
  await next("permission.requested");
  await session.cancel();
  expect(await child.told(hook)).toMatchObject({ hookSpecificOutput: { decision: { behavior: "deny" } } });
  const content = [{ type: "tool_result", tool_use_id: "c1", is_error: true, content: "It broke." }];
  child.print({ type: "user", message: { role: "user", content } }, init());
  expect(await next("tool.failed")).toMatchObject({ reason: "cancelled" });
});

test("answers wire requests once on a cancel, including one that follows its hook", async () => {
  const { child, session, next } = await begun();
  const input = { questions: [{ question: "Which?", options: [{ label: "A" }] }] };
  const ask = (id: string, name: string, given: object, callId: string) => ({
    type: "control_request",
    request_id: id,
    request: { subtype: "can_use_tool", tool_name: name, tool_use_id: callId, input: given },
  });
  child.print(call("c1", "ask_user_question", input), ask("wire-1", "ask_user_question", input, "c1"));
  const question = await next("question.requested");
  child.print(call("c2", "write_file", write));
  const hook = child.hook("PermissionRequest", { tool_name: "write_file", tool_input: write });
  await next("permission.requested");
  child.print({ type: "control_cancel_request", request_id: hook, late: true });
  child.print(call("c3", "edit", {}), init());
  await next("tool.started");
  await session.cancel();
  session.answer(question.requestId, { decision: "answer", answers: { q1: "A" } });
  child.print(ask("wire-2", "write_file", write, "c2"));
  const denied = { behavior: "deny", message: "The turn was cancelled." };
  expect(await child.told("wire-1")).toEqual(denied);
  expect(await child.told("wire-2")).toEqual(denied);
  const answers = child.received.filter(({ type }) => type === "control_response");
  expect(answers.filter(({ response }) => String(response?.["request_id"]).startsWith("wire-"))).toHaveLength(2);
});

test("reports the program's own retries and stops after two", async () => {
  const { child, next } = await begun();
  const line = (attempt: number) => ({ type: "request_failed", attempt, status: 500, said: "oops" });
  child.print(line(1), line(2), line(3));
  expect(await next("agent.retrying")).toMatchObject({ attempt: 1, ofMax: 2, error: { code: "overloaded" } });
  expect(await next("agent.retrying")).toMatchObject({ attempt: 2 });
  await child.hears(asks("interrupt"));
  child.print(failed("Operation cancelled."));
  expect(await next("turn.ended")).toMatchObject({ outcome: "failed", error: { code: "overloaded" } });
});

test("does not wait an hour when a service asks for it", async () => {
  const { child, next } = await begun();
  child.print({ type: "request_failed", attempt: 1, status: 429, said: "Please try again in 3600s." });
  await child.hears(asks("interrupt"));
  child.print(failed("Operation cancelled."));
  expect(await next("turn.ended")).toMatchObject({ error: { code: "quota_exhausted", resetsAt: expect.any(String) } });
});

test("asks no model when hooks do not run", async () => {
  const child = new StandInQwen();
  const session = await open(child);
  const next = reader(session);
  await session.prompt({ text: "hello" });
  child.print(init());
  expect(await next("turn.ended")).toMatchObject({ outcome: "failed", error: { code: "unsupported" } });
  expect(child.stopped).toBe(1);
});

test("refuses an old version", async () => {
  const child = new StandInQwen();
  const session = await open(child);
  const next = reader(session);
  await session.prompt({ text: "hello" });
  child.hook("SessionStart", {});
  child.print(init({ qwen_code_version: "0.1.0" }));
  expect(await next("turn.ended")).toMatchObject({ error: { code: "version_unsupported" } });
});

test("ends the process after a failure, because it saves nothing any more", async () => {
  const { child, session, next } = await begun();
  child.print(failed("[API Error: 401 no]", { num_turns: 1 }));
  expect(await next("process.exited")).toBeDefined();
  expect(await next("turn.ended")).toMatchObject({ outcome: "failed", error: { code: "not_authenticated" } });
  await expect(session.prompt({ text: "x" })).rejects.toMatchObject({ code: "agent_crashed" });
});

test("leaves open calls open when the launcher was killed", async () => {
  const { child, next } = await begun();
  child.print(call("c1", "run_shell_command", { command: "x" }));
  const content = [{ type: "tool_result", tool_use_id: "c1", is_error: true, content: "Command was cancelled." }];
  child.print({ type: "user", message: { role: "user", content } });
  child.exit({ signal: "SIGKILL" });
  const seen: string[] = [];
  await expect(
    (async () => {
      for (;;) seen.push((await next("tool.failed")).callId);
    })(),
  ).rejects.toThrow("No tool.failed came.");
  expect(seen).toEqual([]);
});

test("counts from the usage of a resumed conversation", async () => {
  const child = new StandInQwen();
  const session = await open(child, { state });
  expect(child.launched[0]!.args).toContain("--resume");
  expect(session.state).toBe(state);
  const next = reader(session);
  await session.prompt({ text: "hello" });
  child.begin({}, { input: 100, output: 10, cacheRead: 0 });
  const usage = { input_tokens: 150, output_tokens: 15, cache_read_input_tokens: 0 };
  child.print({ type: "assistant", message: { content: [{ type: "text", text: "Hi." }] } }, { ...result, usage });
  expect(await next("turn.ended")).toMatchObject({ usage: { input: 50, output: 5 } });
});

test("reports a subagent's last message and a compaction from hooks", async () => {
  const { child, next } = await begun();
  child.print(call("task-1", "agent", { prompt: "p" }));
  child.hook("SubagentStop", { agent_id: "general-purpose-task-1", last_assistant_message: "I am done." });
  child.hook("PostCompact", { trigger: "auto" });
  expect(await next("message.completed")).toMatchObject({ text: "I am done.", parent: "task-1" });
  expect(await next("context.compacted")).toMatchObject({ trigger: "auto" });
});

test("stores an image where the program looks, and removes it with the session", async () => {
  const child = new StandInQwen();
  const session = await open(child);
  const chats = join(cwd, "home", "projects", "p", "chats");
  await mkdir(chats, { recursive: true });
  reader(session);
  child.hook("SessionStart", { transcript_path: join(chats, "t.jsonl") });
  const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
  await session.prompt({ text: "look", attachments: [{ kind: "image", mediaType: "image/png", data }] });
  const { message } = child.received.find(({ type }) => type === "user") as unknown as { message: { content: string } };
  const path = /@(\S+)/.exec(message.content)![1]!;
  expect(dirname(dirname(path))).toBe(join(cwd, "home", "tmp"));
  expect(await readFile(path)).toEqual(Buffer.from(data, "base64"));
  await session.close();
  expect(existsSync(path)).toBe(false);
});

test("changes modes and models", async () => {
  const { child, session } = await begun();
  const modes = () => child.received.filter(asks("set_permission_mode")).map(({ request }) => request?.["mode"]);
  await session.configure({ mode: "plan", model: "other" });
  child.refusals = { set_permission_mode: "The folder is not trusted." };
  await expect(session.configure({ mode: "ask" })).rejects.toMatchObject({ code: "protocol_error" });
  expect(modes()).toEqual(["plan", "default"]);
  expect(child.received.find(asks("set_model"))?.request).toMatchObject({ model: "other" });
});

test("explains a failed start", async () => {
  const child = new StandInQwen();
  child.initialized = {};
  await expect(open(child)).rejects.toMatchObject({ code: "protocol_error" });
  const gone = new StandInQwen();
  gone.write = (text) => {
    void StandInProgram.prototype.write.call(gone, text);
    gone.stderr = "No saved session found with ID x.";
    gone.exit({ code: 1 });
    return Promise.resolve();
  };
  await expect(open(gone, { state })).rejects.toMatchObject({ code: "session_not_found" });
  const unwanted = new StandInQwen();
  await expect(open(unwanted, { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
  expect(unwanted.stopped).toBeGreaterThan(0);
});
