import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ReceivedMessage } from "../../../test/support/stand-in-child.ts";
import { agentContext, StandInProgram } from "../../../test/support/stand-in-program.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { AgentSession, OpenOptions } from "../contract.ts";
import { openSession } from "./session.ts";

const conversation = "11111111-2222-4333-8444-555555555555";
const state = `claude:1:${conversation}`;
let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "reins-test-"));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const asks = (subtype: string) => (message: ReceivedMessage) => message.request?.["subtype"] === subtype;
const init = (id: string, more: object = {}) => ({
  type: "system",
  subtype: "init",
  session_id: id,
  tools: [],
  ...more,
});
const result = { type: "result", subtype: "success", is_error: false, result: "" };

/** A Claude Code that answers requests correctly unless a test overrides that. */
class StandInClaude extends StandInProgram {
  readonly refusals: Record<string, { error: string; error_code?: string }> = {};
  initialized: object = { commands: [{ name: "compact", description: "Compact" }, {}], hooks_applied: true };
  /** Replaces the answer to `initialize`. */
  instead: (() => void) | undefined;

  override write(text: string): Promise<void> {
    const written = super.write(text);
    const message = this.received.at(-1);
    const subtype = message?.request?.["subtype"];
    if (typeof subtype !== "string") return written;
    const refusal = this.refusals[subtype];
    if (subtype === "initialize" && this.instead !== undefined) this.instead();
    else if (refusal !== undefined) this.answer(message!.request_id!, { subtype: "error", ...refusal });
    else
      this.answer(message!.request_id!, {
        subtype: "success",
        response: subtype === "initialize" ? this.initialized : {},
      });
    return written;
  }

  answer(id: string, response: object): void {
    this.print({ type: "control_response", response: { request_id: id, ...response } });
  }

  get prompt(): ReceivedMessage | undefined {
    return this.received.findLast(({ type }) => type === "user");
  }

  lifecycle(state: string, id = this.prompt?.["uuid"]): object {
    return { type: "command_lifecycle", command_uuid: id, state };
  }

  begin(): void {
    this.print(this.lifecycle("queued"), this.lifecycle("started"), init(conversation));
  }
}

function open(child: StandInClaude, options: Partial<OpenOptions> = {}, deadlines: object = {}): Promise<AgentSession> {
  const context = agentContext({
    processes: child.processes,
    env: { PATH: "/bin" },
    deadlines: { ...defaultDeadlines, ...deadlines },
  });
  return openSession(context, { sessionId: "s", cwd, mode: "ask", ...options }, { path: "claude", args: ["first"] });
}

async function listen(path: string): Promise<Disposable> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return { [Symbol.dispose]: () => void server.close() };
}

/** Reads events one at a time and checks each against the schema. */
function reader(session: AgentSession) {
  const waiting: AgentEvent[] = [];
  const batches = session.events[Symbol.asyncIterator]();
  return async function next<Type extends AgentEvent["type"]>(type: Type) {
    for (;;) {
      const event = waiting.shift();
      if (event === undefined) {
        const step = await batches.next();
        if (step.done === true) throw new Error(`No ${type} came.`);
        waiting.push(...step.value.map((item) => agentEventSchema.parse(item)));
      } else if (event.type === type) {
        return event as Extract<AgentEvent, { type: Type }>;
      }
    }
  };
}

test("starts with its arguments and holds every tool before the first prompt", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const [spec] = child.launched;
  expect(spec).toMatchObject({ command: "claude", cwd, agent: "claude", sessionId: "s", stdin: "pipe" });
  expect(spec!.args[0]).toBe("first");
  const [initialize] = child.received;
  expect(initialize?.request).toMatchObject({ hooks: { PreToolUse: [{ onFailure: "block" }] } });
  // Nothing is saved before the first prompt, so nothing can be resumed.
  expect(session.state).toBeUndefined();
  await session.close();
  expect(child.stopped).toBe(1);
});

test("sends a prompt as one message and reports the start of the session with its state first", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const next = reader(session);
  await session.prompt({ text: "hello" });
  expect(child.prompt).toMatchObject({
    type: "user",
    message: { role: "user", content: [{ type: "text", text: "hello" }] },
    uuid: expect.any(String),
  });
  child.begin();
  expect(await next("session.started")).toMatchObject({ state, resumed: false });
  expect(session.state).toBe(state);
  expect((await next("session.updated")).commands).toEqual([{ name: "compact", description: "Compact" }]);
  await expect(session.prompt({ text: "again" })).rejects.toMatchObject({ code: "session_busy" });
  child.print(result);
  expect((await next("turn.ended")).outcome).toBe("done");
  await session.prompt({ text: "again" });
  await session.close();
});

test("knows the state of a resumed session at once, and of a fork only later", async () => {
  const child = new StandInClaude();
  expect((await open(child, { state })).state).toBe(state);
  expect(child.launched[0]!.args).toContain("--resume");
  expect((await open(new StandInClaude(), { state, fork: true })).state).toBeUndefined();
});

test.for(["codex:1:x", "nonsense", "claude:0:x"])("starts nothing for the state %s", async (bad) => {
  const child = new StandInClaude();
  await expect(open(child, { state: bad })).rejects.toMatchObject({ code: "session_not_found" });
  expect(child.launched).toEqual([]);
});

test.for([
  ["No conversation found with session ID: x", "session_not_found"],
  ["error: unknown option '--nonsense'", "invalid_input"],
  ["something else", "agent_crashed"],
] as const)("explains why a program ended at once: %s", async ([stderr, code]) => {
  const child = new StandInClaude();
  child.instead = () => {
    child.stderr = stderr;
    child.exit({ code: 1 });
  };
  await expect(open(child)).rejects.toMatchObject({ code });
  expect(child.stopped).toBe(1);
});

test("refuses and stops a program that prints garbage, is silent, is too old or accepts no hook", async () => {
  const garbage = new StandInClaude();
  garbage.instead = () => {
    garbage.print("hello");
    garbage.exit();
  };
  await expect(open(garbage)).rejects.toMatchObject({ code: "protocol_error" });
  const silent = new StandInClaude();
  silent.instead = () => {};
  await expect(open(silent, {}, { start: 5 })).rejects.toMatchObject({ code: "agent_hung" });
  const old = new StandInClaude();
  old.initialized = { claude_code_version: "1.0.0" };
  await expect(open(old)).rejects.toMatchObject({ code: "version_unsupported" });
  const deaf = new StandInClaude();
  deaf.initialized = { hooks_applied: false };
  await expect(open(deaf)).rejects.toMatchObject({ code: "protocol_error" });
  expect([garbage, silent, old, deaf].map(({ stopped }) => stopped)).toEqual([1, 1, 1, 1]);
});

test("writes secrets to files that are removed after the session or a failed start", async () => {
  const mcpServers = { files: { command: "x", env: { KEY: "canary" } } };
  const options = { mcpServers, systemPrompt: { text: "canary", how: "append" as const } };
  const child = new StandInClaude();
  const session = await open(child, options);
  const { args, env } = child.launched[0]!;
  expect(JSON.stringify([args, env])).not.toContain("canary");
  const file = args[args.indexOf("--mcp-config") + 1]!;
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ mcpServers });
  await session.close();
  expect(existsSync(file)).toBe(false);
  const failing = new StandInClaude();
  failing.instead = () => failing.exit({ code: 1 });
  await expect(open(failing, options)).rejects.toMatchObject({ code: "agent_crashed" });
  const failed = failing.launched[0]!.args;
  expect(existsSync(failed[failed.indexOf("--mcp-config") + 1]!)).toBe(false);
});

test("removes the files when the program dies", async () => {
  const child = new StandInClaude();
  await open(child, { systemPrompt: { text: "x", how: "replace" } });
  const { args } = child.launched[0]!;
  const file = args[args.indexOf("--system-prompt-file") + 1]!;
  expect(existsSync(file)).toBe(true);
  child.exit({ signal: "SIGKILL" });
  await vi.waitFor(() => expect(existsSync(file)).toBe(false));
});

test("waits for the answers to a held tool and a permission, one each", async () => {
  const child = new StandInClaude();
  const session = await open(child, { raw: true });
  const next = reader(session);
  await session.prompt({ text: "x" });
  child.begin();
  const input = { tool_name: "Write", tool_input: { file_path: "/x" }, tool_use_id: "c" };
  child.print({ type: "control_request", request_id: "h", request: { subtype: "hook_callback", input } });
  expect((await next("tool.held")).raw).toMatchObject({ subtype: "hook_callback" });
  session.answer("h", { decision: "defer" });
  session.answer("h", { decision: "allow" });
  child.print({
    type: "control_request",
    request_id: "p",
    request: { subtype: "can_use_tool", tool_name: "Write", input: {}, tool_use_id: "c" },
  });
  await next("permission.requested");
  child.print({ type: "control_cancel_request", request_id: "p" });
  expect(await next("permission.resolved")).toMatchObject({ outcome: "cancelled", by: "agent" });
  session.answer("p", { decision: "allow" });
  const answers = child.received.filter(({ type }) => type === "control_response");
  expect(answers).toEqual([
    { type: "control_response", response: { subtype: "success", request_id: "h", response: {} } },
  ]);
});

test("refuses and reports a request that Reins cannot handle", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const next = reader(session);
  child.print({ type: "control_request", request_id: "e", request: { subtype: "elicitation" } });
  expect(await next("notice")).toMatchObject({ code: "divergence" });
  await child.hears(({ type, response }) => type === "control_response" && response?.["subtype"] === "error");
});

test("assigns a subagent's held tool to the call that started it, even before that call is reported", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const next = reader(session);
  child.print({ type: "system", subtype: "task_started", task_id: "agent1", tool_use_id: "task1" });
  const input = { tool_name: "Bash", tool_input: {}, tool_use_id: "c", agent_id: "agent1" };
  child.print({ type: "control_request", request_id: "h", request: { subtype: "hook_callback", input } });
  expect((await next("tool.held")).parent).toBe("task1");
});

test("takes the plan from the model's text or its last message when there is no file", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const next = reader(session);
  const say = (...content: object[]) => ({ type: "assistant", message: { id: "m", content } });
  const ask = (id: string) => ({
    type: "control_request",
    request_id: id,
    request: { subtype: "can_use_tool", tool_name: "ExitPlanMode", input: {}, tool_use_id: id },
  });
  child.print(say({ type: "tool_use", id: "c1", name: "ExitPlanMode", input: { plan: "# A" } }), ask("c1"));
  expect((await next("permission.requested")).input).toEqual({ plan: "# A" });
  child.print(
    say({ type: "text", text: "My plan." }),
    say({ type: "tool_use", id: "c2", name: "ExitPlanMode", input: {} }),
  );
  child.print(ask("c2"));
  expect((await next("permission.requested")).input).toEqual({ plan: "My plan." });
});

test("sends an interrupt while a turn runs and nothing while idle", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const next = reader(session);
  await session.cancel();
  expect(child.received.some(asks("interrupt"))).toBe(false);
  await session.prompt({ text: "x" });
  child.print(child.lifecycle("queued"));
  await session.cancel();
  expect(await child.hears(asks("interrupt"))).toMatchObject({ request: { cancel_queued: true } });
  // The turn had not begun, so no result will come.
  child.print(child.lifecycle("cancelled"));
  expect((await next("turn.ended")).outcome).toBe("cancelled");
  await session.prompt({ text: "usable" });
});

test("answers every pending request once after the interrupt of a cancel", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const next = reader(session);
  await session.prompt({ text: "x" });
  child.begin();
  const tool = { tool_name: "Write", tool_input: { file_path: "/x" }, tool_use_id: "c1" };
  const request = (id: string, body: object) => ({ type: "control_request", request_id: id, request: body });
  child.print(request("h", { subtype: "hook_callback", input: tool }));
  child.print(request("p", { subtype: "can_use_tool", tool_name: "Write", input: {}, tool_use_id: "c2" }));
  const questions = [{ question: "Which?", options: [] }];
  child.print(
    request("q", { subtype: "can_use_tool", tool_name: "AskUserQuestion", input: { questions }, tool_use_id: "c3" }),
  );
  await next("question.requested");
  const before = child.received.length;
  await session.cancel();
  session.answer("p", { decision: "allow" });
  await session.cancel();
  const sent = child.received.slice(before);
  expect(sent[0]).toMatchObject({ request: { subtype: "interrupt" } });
  const message = "The turn was cancelled.";
  expect(sent.filter(({ type }) => type === "control_response")).toMatchObject([
    { response: { request_id: "h", response: { hookSpecificOutput: { permissionDecisionReason: message } } } },
    { response: { request_id: "p", response: { behavior: "deny", message } } },
    { response: { request_id: "q", response: { behavior: "deny", message } } },
  ]);
  // The program reports the call as denied.
  const result = { type: "tool_result", tool_use_id: "c2", is_error: true, content: message };
  child.print({ type: "assistant", message: { content: [{ type: "tool_use", id: "c2", name: "Write", input: {} }] } });
  child.print({
    type: "user",
    message: { content: [result] },
    tool_result_meta: [{ id: "c2", permission_decision: { decision: "reject" } }],
  });
  expect(await next("tool.failed")).toMatchObject({ callId: "c2", reason: "cancelled" });
});

test("does not send a prompt that is cancelled while it is prepared", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const prompting = session.prompt({ text: "x" });
  await session.cancel();
  await expect(prompting).rejects.toMatchObject({ code: "cancelled" });
  expect(child.prompt).toBeUndefined();
});

test("steers only a running turn", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const next = reader(session);
  await expect(session.steer!({ text: "x" })).rejects.toMatchObject({ code: "invalid_input" });
  await session.prompt({ text: "x" });
  child.begin();
  await next("session.started");
  await session.steer!({ text: "faster" });
  expect(child.prompt).toMatchObject({ priority: "next", message: { content: [{ text: "faster" }] } });
  // The answer comes first, then the steered message: one turn.
  child.print(result, child.lifecycle("started"), init(conversation), { ...result, num_turns: 2 });
  expect((await next("turn.ended")).outcome).toBe("done");
  await session.prompt({ text: "free again" });
});

test("changes model and mode while running and keeps the old value when refused", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const next = reader(session);
  const reading = next("process.exited");
  await session.configure({ model: "sonnet", mode: "edits" });
  expect(child.received.find(asks("set_model"))?.request).toMatchObject({ model: "sonnet" });
  expect(child.received.find(asks("set_permission_mode"))?.request).toMatchObject({ mode: "acceptEdits" });
  child.refusals["set_model"] = { error: "Model 'x' not found", error_code: "not_found" };
  await expect(session.configure({ model: "x" })).rejects.toMatchObject({ code: "model_unknown" });
  child.refusals["set_model"] = { error: "broken" };
  await expect(session.configure({ model: "x" })).rejects.toMatchObject({ code: "protocol_error" });
  child.refusals["set_permission_mode"] = { error: "no" };
  await expect(session.configure({ mode: "plan" })).rejects.toMatchObject({ code: "protocol_error" });
  await session.close();
  await reading;
});

test("replaces the tools of the first prompt before the second", async () => {
  const child = new StandInClaude();
  const session = await open(child, { tools: { disallowed: ["Bash"], first: { allowed: ["Bash"] } } });
  const next = reader(session);
  const rules = () => child.received.filter(asks("apply_flag_settings")).map(({ request }) => request!["settings"]);
  const first = { permissions: { allow: ["Bash"], deny: [] } };
  const others = { permissions: { allow: [], deny: ["Bash"] } };
  expect(rules()).toEqual([first]);
  await session.prompt({ text: "one" });
  child.begin();
  child.print(result);
  await next("turn.ended");
  for (const text of ["two", "three"]) {
    const ended = next("turn.ended");
    await session.prompt({ text });
    expect(rules()).toEqual([first, others]);
    child.begin();
    child.print(result);
    await ended;
  }
  const resumed = new StandInClaude();
  await open(resumed, { state, tools: { disallowed: ["Bash"], first: { allowed: ["Bash"] } } });
  expect(resumed.received.some(asks("apply_flag_settings"))).toBe(false);
  expect(resumed.launched[0]!.args).toContain("--disallowedTools");
});

test("ends the turn when the program dies, even a turn that had not begun", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const next = reader(session);
  await session.prompt({ text: "x" });
  child.stderr = "killed";
  child.exit({ signal: "SIGKILL" });
  expect(await next("process.exited")).toMatchObject({ signal: "SIGKILL" });
  expect(await next("turn.ended")).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
  await expect(session.prompt({ text: "again" })).rejects.toMatchObject({ code: "agent_crashed" });
});

test("reports no turn when an idle program ends", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  child.exit();
  const events: AgentEvent[] = [];
  for await (const batch of session.events) events.push(...batch);
  expect(events.map(({ type }) => type)).toEqual(["process.exited"]);
});

test.each(["file", "folder"])("does not remove a %s that the program names as its socket", async (what) => {
  const child = new StandInClaude();
  const session = await open(child);
  const next = reader(session);
  await session.prompt({ text: "x" });
  const path = join(cwd, what);
  await (what === "file" ? writeFile(path, "precious") : mkdir(path));
  child.print(init(conversation, { messaging_socket_path: path }));
  await next("session.started");
  await session.close();
  expect(existsSync(path)).toBe(true);
});

test("interrupts on close even when no turn runs, because background work may run", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  await session.close();
  expect(child.received.some(asks("interrupt"))).toBe(true);
});

test("interrupts on close, stops the program once, and removes its socket", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const next = reader(session);
  await session.prompt({ text: "x" });
  const socket = join(cwd, "left.sock");
  using _ = await listen(socket);
  child.print(init(conversation, { messaging_socket_path: socket }));
  await next("session.started");
  await Promise.all([session.close(), session.close()]);
  expect(child.received.some(asks("interrupt"))).toBe(true);
  expect(child.stopped).toBe(1);
  expect(existsSync(socket)).toBe(false);
  await expect(session.prompt({ text: "x" })).rejects.toMatchObject({ code: "invalid_input" });
});

test("stops subagents on cancel and ends their turn when they have stopped", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const next = reader(session);
  await session.prompt({ text: "x" });
  child.begin();
  const task = { type: "system", task_id: "k", tool_use_id: "t" };
  child.print({ ...task, subtype: "task_started", task_type: "local_agent", is_backgrounded: true }, result);
  await next("turn.ended");
  const block = { type: "tool_use", id: "r", name: "Read", input: { file_path: "a" } };
  child.print({ type: "assistant", parent_tool_use_id: "t", message: { id: "m", content: [block] } });
  await next("tool.started");
  await session.cancel();
  await child.hears(asks("interrupt"));
  child.print({ type: "system", subtype: "status", status: null });
  child.print({ ...task, subtype: "task_notification", status: "stopped" });
  expect((await next("task.updated")).status).toBe("stopped");
  expect(await next("turn.ended")).toMatchObject({ outcome: "cancelled", origin: "agent", background: [] });
  await session.prompt({ text: "y" });
  child.begin();
  child.print(result);
  expect((await next("turn.ended")).outcome).toBe("done");
});

test("handles a prompt during a turn of the agent's own after it, in the same turn", async () => {
  const child = new StandInClaude();
  const session = await open(child);
  const next = reader(session);
  await session.prompt({ text: "x" });
  child.begin();
  child.print(result);
  await next("turn.ended");
  child.print(init(conversation, { model: "other" }));
  await next("session.updated");
  await session.prompt({ text: "y" });
  await expect(session.prompt({ text: "z" })).rejects.toMatchObject({ code: "session_busy" });
  child.print(child.lifecycle("queued"), result, { type: "system", subtype: "status", status: "requesting" });
  child.begin();
  child.print({ ...result, stop_reason: "max_tokens" });
  expect((await next("turn.ended")).outcome).toBe("max_tokens");
});

test("ends a session that is aborted while it is opened", async () => {
  const child = new StandInClaude();
  child.instead = () => {};
  const abort = new AbortController();
  const opening = open(child, { signal: abort.signal });
  await child.hears(asks("initialize"));
  abort.abort();
  await expect(opening).rejects.toMatchObject({ code: "agent_crashed" });
  expect(child.stopped).toBeGreaterThan(0);
  const late = new StandInClaude();
  await expect(open(late, { signal: abort.signal })).rejects.toThrow("aborted");
  expect(late.stopped).toBeGreaterThan(0);
});
