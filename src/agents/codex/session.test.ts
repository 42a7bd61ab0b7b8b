import { expect, test } from "vitest";
import type { StandInChild, ReceivedMessage } from "../../../test/support/stand-in-child.ts";
import { agentContext, StandInProgram } from "../../../test/support/stand-in-program.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { OpenOptions } from "../contract.ts";
import { providerArguments } from "./launch.ts";
import { openSession } from "./session.ts";
import { program } from "./program.ts";

const thread = "01a1e178-38d8-7860-9211-a2da456973e7";
const state = `codex:1:${thread}`;

/** A Codex that answers requests correctly unless a test overrides that. */
class StandInCodex extends StandInProgram {
  readonly stops: unknown[] = [];
  readonly refusals: Record<string, string> = {};
  status = "Not logged in";
  version = "0.166.0";
  /** Extra data of a refusal. */
  data: object | undefined;
  /** Methods that are never answered. */
  readonly ignored = new Set(["turn/interrupt"]);
  readonly context = agentContext({ processes: this.processes, env: {} });

  override run(): { stdout: string; stderr: string } {
    return { stdout: `codex-cli ${this.version}`, stderr: this.status };
  }

  override write(text: string): Promise<void> {
    const written = super.write(text);
    const { method, id } = this.received.at(-1) ?? {};
    if (typeof method !== "string" || id === undefined || this.ignored.has(method)) return written;
    const refusal = this.refusals[method];
    this.print(
      refusal === undefined
        ? { id, result: this.answerTo(method) }
        : { id, error: { code: -32600, message: refusal, data: this.data } },
    );
    return written;
  }

  answerTo(method: string): object {
    if (method === "initialize") return { userAgent: `reins/${this.version} (Linux)` };
    if (method.startsWith("thread/")) return { thread: { id: thread }, model: "gpt-5.5", reasoningEffort: "medium" };
    return {};
  }

  override stop(options?: { politely?: boolean }): ReturnType<StandInChild["stop"]> {
    this.stops.push(options);
    return super.stop();
  }

  tell(method: string, params: object = {}): void {
    this.print({ method, params: { threadId: thread, ...params } });
  }

  turn(status: string, more: object = {}): void {
    this.tell("turn/completed", { turn: { id: "t1", status, error: null, ...more } });
  }

  told(method: string): Promise<ReceivedMessage> {
    return this.hears((message) => message["method"] === method);
  }
}

const params = (message: ReceivedMessage) => message["params"] as Record<string, unknown>;

async function opened(options: Partial<OpenOptions> = {}, codex = new StandInCodex()) {
  const session = await openSession(
    codex.context,
    { sessionId: "s", cwd: "/w", mode: "ask", ...options },
    { path: "codex", args: [] },
  );
  const events: AgentEvent[] = [];
  const waiting: { match: (event: AgentEvent) => boolean; resolve: () => void }[] = [];
  const read = (async () => {
    for await (const batch of session.events) {
      for (const event of batch) {
        agentEventSchema.parse(event);
        events.push(event);
        for (const { match, resolve } of waiting) if (match(event)) resolve();
      }
    }
  })();
  const said = (type: AgentEvent["type"]) =>
    new Promise<void>((resolve) => {
      if (events.some((event) => event.type === type)) resolve();
      waiting.push({ match: (event) => event.type === type, resolve });
    });
  return { session, codex, events, said, read };
}

async function running(options: Partial<OpenOptions> = {}, standIn = new StandInCodex()) {
  const parts = await opened(options, standIn);
  await parts.session.prompt({ text: "go" });
  parts.codex.tell("turn/started", { turn: { id: "t1" } });
  await parts.said("turn.phase");
  return parts;
}

const kinds = (events: readonly AgentEvent[]) => events.map(({ type }) => type);

test("introduces itself, opens a thread and reports it", async () => {
  const { session, codex, events, said } = await opened({ model: "gpt-5.5" });
  await said("session.started");
  expect(codex.launched[0]).toMatchObject({ command: "codex", args: ["app-server"], cwd: "/w", stdin: "pipe" });
  expect(codex.received.map(({ method }) => method)).toEqual(["initialize", "initialized", "thread/start"]);
  expect(codex.received[0]).not.toHaveProperty("jsonrpc");
  expect(params(codex.received[2]!)).toMatchObject({
    cwd: "/w",
    model: "gpt-5.5",
    sandbox: "read-only",
    experimentalRawEvents: true,
  });
  expect(events[0]).toMatchObject({
    type: "session.started",
    model: "gpt-5.5",
    agentVersion: "0.166.0",
    resumed: false,
  });
  expect(session.state).toBeUndefined();
  await session.prompt({ text: "go" });
  expect(session.state).toBe(state);
});

test.for([
  [{ state }, "thread/resume"],
  [{ state, fork: true }, "thread/fork"],
] as const)("rejects %j with %s", async ([options, method]) => {
  const { session, codex } = await opened(options);
  expect(params(await codex.told(method))).toMatchObject({ threadId: thread, excludeTurns: true });
  expect(session.state).toBe(method === "thread/resume" ? state : undefined);
});

test("uses a key from the environment when nobody is signed in", async () => {
  const env = { OPENAI_API_KEY: "secret", HOME: "/nobody" };
  const { codex } = await opened({ env });
  const [, ...provider] = codex.launched[0]!.args;
  expect(provider).toEqual(providerArguments("OPENAI_API_KEY"));
  expect(provider.join()).toContain('env_key="OPENAI_API_KEY"');
  expect(provider.join()).not.toContain("secret");
  const signedIn = new StandInCodex();
  signedIn.status = "Logged in using ChatGPT";
  await opened({ env }, signedIn);
  expect(signedIn.launched[0]!.args).toEqual(["app-server"]);
});

test("does not resume a conversation that used a key without the key", async () => {
  const codex = new StandInCodex();
  codex.refusals["thread/resume"] = "This chat uses reins-key";
  codex.data = { type: "modelProviderNotConfigured", modelProvider: "reins-key" };
  const opening = opened({ state }, codex);
  await expect(opening).rejects.toMatchObject({ code: "not_authenticated", message: /begun with a key/ });
});

test("sends a history before the first prompt", async () => {
  const { codex } = await opened({ history: [{ role: "person", text: "My name is Ada." }] });
  expect(params(await codex.told("thread/inject_items"))).toMatchObject({
    threadId: thread,
    items: [{ role: "user" }],
  });
});

test.for([
  ["no rollout found for thread id x", "session_not_found"],
  ["thread x already has an active writer", "session_busy"],
  ["something else", "protocol_error"],
] as const)("reports a thread refused with %j as %s", async ([refusal, code]) => {
  const codex = new StandInCodex();
  codex.refusals["thread/resume"] = refusal;
  await expect(opened({ state }, codex)).rejects.toMatchObject({ code });
  expect(codex.stopped).toBe(1);
});

test("refuses a program without an app server, with its version and how to update it", async () => {
  const codex = new StandInCodex();
  codex.version = "0.20.0";
  codex.write = () => {
    codex.stderr = "error: unrecognized subcommand 'app-server'\n";
    codex.exit({ code: 2 });
    return Promise.resolve();
  };
  await expect(opened({}, codex)).rejects.toMatchObject({
    code: "version_unsupported",
    message: `Codex 0.20.0 is older than the oldest version Reins works with (${program.minimalVersion}).`,
    help: expect.stringContaining("npm install"),
  });
});

test("refuses an app server that is too old or lacks a method that Reins uses", async () => {
  const old = new StandInCodex();
  old.version = "0.20.0";
  await expect(opened({}, old)).rejects.toMatchObject({
    code: "version_unsupported",
    message: expect.stringContaining("Codex 0.20.0 is older"),
  });
  expect(old.stopped).toBe(1);
  const lacking = new StandInCodex();
  lacking.refusals["thread/start"] = "unknown variant `thread/start`";
  await expect(opened({}, lacking)).rejects.toMatchObject({
    code: "version_unsupported",
    message: expect.stringContaining("This Codex is older"),
  });
});

test("sends the permissions of the current mode and model with every turn", async () => {
  const { session, codex } = await opened();
  await session.configure({ mode: "full", model: "gpt-6-luna" });
  await session.prompt({ text: "go" });
  expect(params(await codex.told("turn/start"))).toMatchObject({
    threadId: thread,
    input: [{ type: "text", text: "go" }],
    model: "gpt-6-luna",
    sandboxPolicy: { type: "dangerFullAccess" },
    approvalPolicy: "untrusted",
    approvalsReviewer: "user",
  });
});

test("refuses a second prompt, which Codex would merge into the first", async () => {
  const { session, codex, said, events } = await running();
  await expect(session.prompt({ text: "more" })).rejects.toMatchObject({ code: "session_busy" });
  codex.turn("completed");
  await said("turn.ended");
  expect(events.at(-1)).toMatchObject({ type: "turn.ended", outcome: "done", background: [] });
  await session.prompt({ text: "more" });
});

test("accepts a prompt after a refused one", async () => {
  const { session, codex } = await opened();
  codex.refusals["turn/start"] = "no such model";
  await expect(session.prompt({ text: "go" })).rejects.toMatchObject({ code: "protocol_error" });
  delete codex.refusals["turn/start"];
  await session.prompt({ text: "go" });
  await expect(session.prompt({ text: "" })).rejects.toMatchObject({ code: "session_busy" });
});

test("steers only the running turn", async () => {
  const { session, codex } = await running();
  await session.steer!({ text: "and this" });
  expect(params(await codex.told("turn/steer"))).toMatchObject({ expectedTurnId: "t1", input: [{ text: "and this" }] });
  const idle = await opened();
  await expect(idle.session.steer!({ text: "and this" })).rejects.toMatchObject({ code: "invalid_input" });
});

test("does not wait for a cancel, and ends commands that the turn left running", async () => {
  const { session, codex, said, events } = await running();
  await session.cancel();
  expect(params(await codex.told("turn/interrupt"))).toEqual({ threadId: thread, turnId: "t1" });
  codex.turn("interrupted");
  await said("turn.ended");
  expect(events.at(-1)).toMatchObject({ outcome: "cancelled" });
  expect(params(await codex.told("thread/backgroundTerminals/clean"))).toEqual({ threadId: thread });
});

test("stops Codex, which waits for the network forever, after the configured number of retries", async () => {
  const codex = new StandInCodex();
  codex.answerTo = (method) =>
    method === "config/read"
      ? { config: { model_provider: "mine", model_providers: { mine: { stream_max_retries: 1 } } } }
      : StandInCodex.prototype.answerTo.call(codex, method);
  const { said, events } = await running({}, codex);
  const waits = () =>
    codex.tell("error", {
      willRetry: true,
      error: {
        message: "Reconnecting... waiting for network",
        additionalDetails: "Connection failed: error sending request",
      },
    });
  waits();
  await codex.told("config/read");
  waits();
  expect(params(await codex.told("turn/interrupt"))).toMatchObject({ turnId: "t1" });
  expect(codex.received.filter(({ method }) => method === "config/read")).toHaveLength(1);
  codex.turn("interrupted");
  await said("turn.ended");
  expect(events.filter(({ type }) => type === "agent.retrying")).toHaveLength(2);
  expect(events.at(-1)).toMatchObject({ outcome: "failed", error: { code: "network", retryable: true } });
});

test("interrupts a turn cancelled before it has an id as soon as it has one, and ignores a cancel when idle", async () => {
  const { session, codex } = await opened();
  await session.cancel();
  await session.prompt({ text: "go" });
  await session.cancel();
  expect(codex.received.some(({ method }) => method === "turn/interrupt")).toBe(false);
  codex.tell("turn/started", { turn: { id: "t9" } });
  expect(params(await codex.told("turn/interrupt"))).toMatchObject({ turnId: "t9" });
});

test("answers a request once under its own id, and not after it is withdrawn", async () => {
  const { session, codex, said, events } = await running();
  codex.tell("item/started", {
    item: { type: "commandExecution", id: "c1", command: "/bin/bash -lc 'touch x'", cwd: "/w" },
  });
  codex.print({
    id: 0,
    method: "item/commandExecution/requestApproval",
    params: { threadId: thread, itemId: "c1", command: "/bin/bash -lc 'touch x'" },
  });
  await said("permission.requested");
  const request = events.find((event) => event.type === "permission.requested")!;
  expect(request).toMatchObject({ callId: "c1", tool: "shell", title: "Run touch x" });
  session.answer(request.requestId, { decision: "allow" });
  session.answer(request.requestId, { decision: "deny" });
  expect(await codex.hears(({ id, method }) => id === 0 && method === undefined)).toEqual({
    id: 0,
    result: { decision: "accept" },
  });
  codex.print({ id: 1, method: "item/fileChange/requestApproval", params: { threadId: thread, itemId: "c2" } });
  codex.tell("serverRequest/resolved", { requestId: 1 });
  await said("permission.resolved");
  expect(events.at(-1)).toMatchObject({ outcome: "cancelled", by: "agent" });
  session.answer(events.findLast((event) => event.type === "permission.requested")!.requestId, { decision: "allow" });
  expect(codex.received.filter(({ id, method }) => id === 1 && method === undefined)).toEqual([]);
});

test("withdraws a request that Codex replaces under the same id, and ignores its late answer", async () => {
  const { session, codex, said, events } = await running();
  const ask = (itemId: string) =>
    codex.print({ id: 3, method: "item/fileChange/requestApproval", params: { threadId: thread, itemId } });
  ask("c1");
  await said("permission.requested");
  const { requestId } = events.find((event) => event.type === "permission.requested")!;
  ask("c2");
  await said("permission.resolved");
  expect(events.findLast((event) => event.type === "permission.resolved")).toMatchObject({
    requestId,
    outcome: "cancelled",
    by: "agent",
  });
  session.answer(requestId, { decision: "allow" });
  expect(codex.received.filter(({ id, result }) => id === 3 && result !== undefined)).toEqual([]);
});

test("refuses and reports a request that Reins does not support", async () => {
  const { codex, said, events } = await running();
  codex.print({ id: 7, method: "attestation/generate", params: {} });
  await said("notice");
  expect(events.at(-1)).toMatchObject({
    code: "divergence",
    message: "Codex asked for attestation/generate, which Reins does not support.",
  });
  expect(await codex.hears(({ id, error }) => id === 7 && error !== undefined)).toMatchObject({
    error: { code: -32601 },
  });
});

async function planning() {
  const parts = await running({ mode: "plan" });
  parts.codex.tell("item/completed", { item: { type: "plan", id: "p1", text: "# Do it\n" } });
  parts.codex.turn("completed");
  await parts.said("permission.requested");
  const { requestId } = parts.events.find((event) => event.type === "permission.requested")!;
  return { ...parts, requestId };
}

const lastStart = (codex: StandInCodex) => params(codex.received.findLast(({ method }) => method === "turn/start")!);

test("continues an approved plan in the same turn, in mode ask", async () => {
  const { session, codex, said, events, requestId } = await planning();
  expect(params(await codex.told("turn/start"))).toMatchObject({ collaborationMode: { mode: "plan" } });
  expect(kinds(events)).not.toContain("turn.ended");
  await expect(session.prompt({ text: "more" })).rejects.toMatchObject({ code: "session_busy" });
  session.answer(requestId, { decision: "allow" });
  await said("session.updated");
  expect(lastStart(codex)).toMatchObject({
    input: [{ text: "Implement the plan." }],
    collaborationMode: { mode: "default" },
  });
  expect(events.find((event) => event.type === "session.updated")).toMatchObject({ mode: "ask", by: "agent" });
  codex.turn("completed");
  await said("turn.ended");
  expect(kinds(events).filter((type) => type === "turn.ended")).toHaveLength(1);
});

test("reports a rejected plan to the model outside plan mode, and nothing when stopped", async () => {
  const { session, codex, said, requestId } = await planning();
  session.answer(requestId, { decision: "deny", message: "Smaller." });
  await said("tool.failed");
  expect(lastStart(codex)).toMatchObject({
    input: [{ text: "The plan was not approved; do not carry it out. Smaller." }],
    collaborationMode: { mode: "default" },
    sandboxPolicy: { type: "readOnly" },
  });
  const stopped = await planning();
  stopped.session.answer(stopped.requestId, { decision: "deny", stop: true });
  await stopped.said("turn.ended");
  expect(stopped.events.at(-1)).toMatchObject({ outcome: "cancelled" });
  expect(stopped.codex.received.filter(({ method }) => method === "turn/start")).toHaveLength(1);
});

test("ends the turn when a plan is cancelled", async () => {
  const { session, said, events } = await planning();
  await session.cancel();
  await said("turn.ended");
  expect(events.at(-1)).toMatchObject({ outcome: "cancelled" });
});

test("compacts on /compact", async () => {
  const { session, codex, said, events } = await opened();
  await session.prompt({ text: " /compact " });
  expect(params(await codex.told("thread/compact/start"))).toEqual({ threadId: thread });
  codex.tell("turn/started", { turn: { id: "t1" } });
  codex.tell("item/completed", { item: { type: "contextCompaction", id: "c" } });
  codex.turn("completed");
  await said("turn.ended");
  expect(events).toContainEqual({ type: "context.compacted", trigger: "manual", parent: undefined });
});

test("fails the turn of a process that dies, and only ends between turns", async () => {
  const { session, codex, read, events } = await running();
  codex.stderr = "something broke\n";
  codex.exit({ signal: "SIGKILL" });
  await read;
  expect(kinds(events).slice(-2)).toEqual(["process.exited", "turn.ended"]);
  expect(events.at(-1)).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
  await expect(session.prompt({ text: "go" })).rejects.toMatchObject({ code: "agent_crashed" });
  const idle = await opened();
  idle.codex.exit();
  await idle.read;
  expect(kinds(idle.events)).not.toContain("turn.ended");
});

test("does not also refuse a prompt when the process dies while it takes it", async () => {
  const parts = await opened();
  parts.codex.ignored.add("turn/start");
  const prompt = parts.session.prompt({ text: "go" });
  await parts.codex.told("turn/start");
  parts.codex.exit({ code: 1 });
  await prompt;
  await parts.read;
  expect(parts.events.at(-1)).toMatchObject({ type: "turn.ended", outcome: "failed" });
});

test("does not wait on close for a program that lingers after its input is closed", async () => {
  const { session, codex, read } = await opened();
  await session.close();
  await read;
  expect(codex.stops).toEqual([{ politely: false }]);
  expect(codex.stdinClosed).toBe(false);
  await expect(session.prompt({ text: "go" })).rejects.toMatchObject({ code: "invalid_input" });
});

test("ends a session that is aborted while it is opened", async () => {
  const codex = new StandInCodex();
  codex.ignored.add("initialize");
  const abort = new AbortController();
  const opening = opened({ signal: abort.signal }, codex);
  await codex.told("initialize");
  abort.abort();
  await expect(opening).rejects.toMatchObject({ code: "agent_crashed" });
});
