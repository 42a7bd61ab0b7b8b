import { expect, test } from "vitest";
import { Drive, type Replies } from "../../../test/support/drive.ts";
import { StandInChild, type ReceivedMessage } from "../../../test/support/stand-in-child.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { PrivateFiles } from "../shared/program/private-files.ts";
import { PiSession } from "./session.ts";

const title = "reins-title-0000";
const model = { provider: "anthropic", id: "opus", contextWindow: 200_000 };
const hello = {
  type: "extension_ui_request",
  id: "h",
  method: "notify",
  message: JSON.stringify({ title, tools: ["read"] }),
};
const start = { type: "agent_start" };
const settled = { type: "agent_settled" };

/** Answers commands as pi does; `answers` replaces some. */
class StandInPi extends StandInChild {
  streaming = true;
  /** The messages it sends after it accepted a prompt. */
  says: object[] = [];
  readonly #answers: Record<string, object>;

  constructor(answers: Record<string, object> = {}) {
    super();
    this.#answers = answers;
  }

  override write(text: string): Promise<void> {
    const done = super.write(text);
    for (const line of text.split("\n").filter((part) => part !== "")) this.#hear(JSON.parse(line) as ReceivedMessage);
    return done;
  }

  #hear({ type, id }: ReceivedMessage): void {
    if (id === undefined || type === undefined || type === "extension_ui_response") return;
    const usual: Record<string, object> = {
      get_state: { data: { model, sessionFile: "/s/a.jsonl", isStreaming: this.streaming } },
      get_commands: { data: { commands: [{ name: "greet" }, {}] } },
      get_available_models: { data: { models: [model, { provider: "anthropic", id: "haiku" }] } },
      set_model: { data: { provider: "anthropic", id: "haiku" } },
      get_session_stats: { data: { tokens: { input: 1000, output: 10 }, cost: 2 } },
    };
    const answer = this.#answers[type] ?? usual[type] ?? {};
    if ("silent" in answer) return;
    this.print({ id, type: "response", command: type, success: true, ...answer });
    if (type === "prompt") this.print(...this.says.splice(0));
  }

  /** The commands it received, without requests for its state. */
  get commands(): unknown[] {
    return this.received.map(({ type }) => type).filter((type) => !String(type).startsWith("get_"));
  }
}

const context: AgentContext = {
  processes: undefined as never,
  env: { HOME: "/home/person" },
  deadlines: defaultDeadlines,
  limits: defaultLimits,
  redact: createRedactor({}),
};

/** Short deadlines, for a program that does not answer. */
const hurried: AgentContext = { ...context, deadlines: { ...defaultDeadlines, start: 200, request: 200 } };

function sessionWith(child: StandInPi, more: Partial<OpenOptions> = {}, within = context): PiSession {
  const options: OpenOptions = { sessionId: "s", cwd: "/work", mode: "ask", ...more };
  const files = new PrivateFiles("pi");
  return new PiSession({ context: within, options, child, files, title, home: "/home/person", folder: "/s" });
}

async function opened(
  child: StandInPi,
  more: Partial<OpenOptions> = {},
): Promise<{ session: PiSession; drive: Drive }> {
  const session = sessionWith(child, more);
  child.print(hello);
  await session.open();
  return { session, drive: new Drive(session, { cwd: "/work", mode: "ask", ...more }) };
}

/** Sends a prompt while events are read, as the core does. */
async function prompted(
  { session, drive }: { session: PiSession; drive: Drive },
  until: (event: AgentEvent) => boolean = ({ type }) => type === "turn.ended",
  replies: Replies = {},
  text = "Go.",
): Promise<AgentEvent[]> {
  const [events] = await Promise.all([drive.until(until, replies), session.prompt({ text })]);
  return events;
}

const types = (events: readonly AgentEvent[]) => events.map(({ type }) => type);
const held = (id: string, toolName: string, input: object) => ({
  type: "extension_ui_request",
  id,
  method: "input",
  title: title,
  placeholder: JSON.stringify({ toolName, toolCallId: `call-${id}`, input }),
});
const started = (id: string, toolName: string, args: object) => ({
  type: "tool_execution_start",
  toolCallId: `call-${id}`,
  toolName,
  args,
});
const replyTo = async (child: StandInPi, id: string) => {
  const told = await child.hears((message) => message.type === "extension_ui_response" && message["id"] === id);
  const value = told["value"];
  return typeof value === "string" && value.startsWith("{") ? (JSON.parse(value) as unknown) : told;
};

test("introduces itself and takes a prompt", async () => {
  const child = new StandInPi();
  const one = await opened(child);
  const { session, drive } = one;
  expect(session.state).toBeUndefined();
  child.says = [start, settled];
  const events = await prompted(one, undefined, undefined, "Hello");
  expect(drive.events[0]).toMatchObject({
    type: "session.started",
    model: "anthropic/opus",
    tools: ["read"],
    resumed: false,
  });
  expect(drive.events[1]).toMatchObject({
    type: "session.updated",
    commands: [{ name: "greet" }, { name: "compact" }],
  });
  expect(types(events)).toContain("turn.ended");
  expect(session.state).toBe("pi:1:a.jsonl");
  expect(child.received.find(({ type }) => type === "prompt")).toMatchObject({
    message: "Hello",
    streamingBehavior: "followUp",
  });
});

test.for<[string, StandInPi, object]>([
  [
    "does not hold tools",
    new StandInPi(),
    { code: "protocol_error", message: "pi does not let Reins control its tools." },
  ],
  ["is silent", new StandInPi({ get_state: { silent: true } }), { code: "agent_hung" }],
])("refuses a program that %s", async ([, child, error]) => {
  await expect(sessionWith(child, {}, hurried).open()).rejects.toMatchObject(error);
});

test("refuses a program that is too old or prints garbage", async () => {
  const old = new StandInPi({ clear_queue: { success: false, error: "Unknown command: clear_queue" } });
  await expect(opened(old)).rejects.toMatchObject({ code: "version_unsupported" });
  const garbage = new StandInPi({ get_state: { silent: true } });
  garbage.print("what", "ever");
  await expect(sessionWith(garbage, {}, hurried).open()).rejects.toMatchObject({ code: "protocol_error" });
});

test("holds a tool for the policy and then for a person, and runs it with their input", async () => {
  const child = new StandInPi();
  const one = await opened(child);
  child.says = [start, started("1", "write", { path: "a.txt" }), held("1", "write", { path: "a.txt", content: "x" })];
  await prompted(one, ({ type }) => type === "permission.requested", {
    permission: { decision: "allow", always: true, changedInput: { path: "b.txt", content: "y" } },
  });
  expect(await replyTo(child, "1")).toEqual({ decision: "allow", input: { path: "b.txt", content: "y" }, fixed: true });
  child.print(
    { type: "tool_execution_end", toolCallId: "call-1", toolName: "write", result: { content: [] }, isError: false },
    started("2", "edit", { path: "c.txt" }),
    held("2", "edit", { path: "c.txt", edits: [] }),
  );
  const rest = await one.drive.until((event) => event.type === "tool.held" && event.callId === "call-2");
  expect(rest).toContainEqual(expect.objectContaining({ type: "tool.progress", title: "Write b.txt" }));
  expect(rest).toContainEqual(expect.objectContaining({ type: "file.changed", path: "b.txt", op: "create" }));
  // Edits in the workspace are allowed from now on.
  expect(await replyTo(child, "2")).toEqual({ decision: "allow", fixed: true });
});

test("denies a call by the policy, by a person who stops the turn, and by a filter", async () => {
  const child = new StandInPi();
  const one = await opened(child, { tools: { disallowed: ["shell"] } });
  child.says = [start, held("1", "write", { path: "a" }), held("2", "write", { path: "b" }), held("3", "bash", {})];
  await prompted(one, (event) => event.type === "tool.held" && event.callId === "call-3", {
    hold: ({ callId }) =>
      callId === "call-1" ? { decision: "deny", message: "Only looking." } : { decision: "defer" },
    permission: { decision: "deny", stop: true },
  });
  expect(await replyTo(child, "1")).toEqual({ decision: "deny", reason: "Only looking." });
  expect(await replyTo(child, "2")).toMatchObject({ decision: "deny" });
  expect(await replyTo(child, "3")).toMatchObject({ decision: "deny", reason: "The tool bash is not allowed here." });
  await child.hears(({ type }) => type === "abort");
  const commands = child.commands.filter((type) => type !== "extension_ui_response");
  expect(commands.slice(-2)).toEqual(["clear_queue", "abort"]);
});

test("lets extensions change a call that the policy allowed, and denies an unreadable call", async () => {
  const child = new StandInPi();
  child.says = [start, { ...held("0", "x", {}), placeholder: "?" }, held("1", "bash", { command: "ls" })];
  await prompted(await opened(child), ({ type }) => type === "tool.held", { hold: { decision: "allow" } });
  expect(await replyTo(child, "0")).toEqual({ decision: "deny" });
  expect(await replyTo(child, "1")).toEqual({ decision: "allow", fixed: false });
});

test("withdraws the first request when its id is reused for another call", async () => {
  const child = new StandInPi();
  const one = await opened(child);
  const again = { ...held("1", "bash", { command: "rm x" }), id: "1" };
  child.says = [start, held("1", "bash", { command: "ls" }), again];
  const events = await prompted(one, ({ type }) => type === "permission.resolved");
  expect(events.at(-1)).toMatchObject({ requestId: "1", outcome: "cancelled", by: "agent" });
  one.session.answer("1", { decision: "allow" });
  expect(await replyTo(child, "1")).toMatchObject({ cancelled: true });
});

test("ends the program when a tool runs without being asked about", async () => {
  const child = new StandInPi();
  const one = await opened(child);
  child.says = [
    start,
    started("1", "bash", {}),
    { type: "tool_execution_update", toolCallId: "call-1", toolName: "bash" },
  ];
  await prompted(one, (event) => event.type === "notice" && event.code === "unheld");
  expect((await one.drive.rest()).at(-1)).toMatchObject({
    type: "turn.ended",
    outcome: "failed",
    error: { code: "protocol_error" },
  });
  expect(child.stopped).toBeGreaterThan(0);
});

test("turns dialogs of extensions into questions in a turn, and closes them outside", async () => {
  const child = new StandInPi();
  const select = { type: "extension_ui_request", method: "select", title: "Which?", options: ["A", "B"] };
  child.print({ ...select, id: "between" });
  const one = await opened(child);
  expect(await replyTo(child, "between")).toMatchObject({ cancelled: true });
  child.says = [
    start,
    { ...select, id: "1" },
    { ...select, id: "2", method: "confirm" },
    { ...select, id: "3", method: "input" },
  ];
  await prompted(one, (event) => event.type === "question.requested" && event.requestId === "3", {
    question: ({ requestId }) =>
      requestId === "3" ? { decision: "skip" } : { decision: "answer", answers: { answer: ["Yes"] } },
  });
  expect(await replyTo(child, "1")).toMatchObject({ value: "Yes" });
  expect(await replyTo(child, "2")).toMatchObject({ confirmed: true });
  expect(await replyTo(child, "3")).toMatchObject({ cancelled: true });
});

test("handles a prompt without the model, a refused one, and one too many", async () => {
  const child = new StandInPi();
  const one = await opened(child);
  child.streaming = false;
  expect((await prompted(one)).at(-1)).toMatchObject({ type: "turn.ended", outcome: "done" });
  const refusing = new StandInPi({
    prompt: { success: false, error: "No API key found for anthropic.\n\nUse /login" },
  });
  const other = await opened(refusing);
  await expect(prompted(other, () => false)).rejects.toMatchObject({ code: "not_authenticated" });
  const busy = await opened(new StandInPi({ prompt: { silent: true } }));
  void busy.session.prompt({ text: "One" });
  await expect(busy.session.prompt({ text: "Two" })).rejects.toMatchObject({ code: "session_busy" });
});

test("compacts in a turn of its own", async () => {
  const child = new StandInPi();
  const events = await prompted(await opened(child), undefined, undefined, "/compact Keep the numbers.");
  expect(events.at(-1)).toMatchObject({ type: "turn.ended", outcome: "done" });
  expect(child.received.find(({ type }) => type === "compact")).toMatchObject({
    customInstructions: "Keep the numbers.",
  });
  const small = await opened(new StandInPi({ compact: { success: false, error: "Nothing to compact" } }));
  expect((await prompted(small, undefined, undefined, "/compact")).at(-1)).toMatchObject({
    outcome: "failed",
    error: { code: "invalid_input", message: "Nothing to compact" },
  });
});

test("withdraws pending messages on a cancel, and aborts what begins after it", async () => {
  const child = new StandInPi();
  const one = await opened(child);
  await one.session.cancel();
  expect(child.commands).toEqual(["clear_queue"]);
  const aborts = () => child.commands.filter((type) => type === "abort").length;
  const reading = prompted(one);
  await child.hears(({ type }) => type === "prompt");
  await one.session.cancel();
  expect(aborts()).toBe(1);
  child.print(start, settled);
  expect((await reading).at(-1)).toMatchObject({ outcome: "cancelled" });
  expect(aborts()).toBe(2);
});

test("stops retrying after two attempts", async () => {
  const child = new StandInPi();
  const retry = { type: "auto_retry_start", maxAttempts: 3, delayMs: 1, errorMessage: "500: x" };
  child.says = [start, { ...retry, attempt: 1 }, { ...retry, attempt: 2 }, { ...retry, attempt: 3 }, settled];
  await prompted(await opened(child));
  expect(child.commands.filter((type) => type === "abort_retry")).toHaveLength(1);
});

test("steers a running turn, and leaves nothing queued without one", async () => {
  const child = new StandInPi();
  const one = await opened(child);
  await expect(one.session.steer({ text: "Now" })).rejects.toMatchObject({ code: "invalid_input" });
  child.says = [start];
  const reading = one.drive.rest();
  await one.session.prompt({ text: "Go." });
  await one.session.steer({ text: "This too." });
  expect(child.received.find(({ type }) => type === "steer")).toMatchObject({ message: "This too." });
  child.print({ type: "queue_update", steering: ["x"], followUp: [] }, settled);
  await expect(one.session.steer({ text: "Too late." })).rejects.toMatchObject({ code: "invalid_input" });
  expect(child.commands.at(-1)).toBe("clear_queue");
  child.exit();
  await reading;
});

test("changes the model and thinking level, and rejects an unknown model", async () => {
  const child = new StandInPi();
  const { session, drive } = await opened(child);
  const reading = drive.rest();
  await session.configure({ mode: "full" });
  await session.configure({ model: "haiku:low" });
  expect(child.received.find(({ type }) => type === "set_model")).toMatchObject({
    provider: "anthropic",
    modelId: "haiku",
  });
  expect(child.received.find(({ type }) => type === "set_thinking_level")).toMatchObject({ level: "low" });
  await expect(session.configure({ model: "nothing" })).rejects.toMatchObject({ code: "model_unknown" });
  await session.close();
  await reading;
  await expect(session.prompt({ text: "x" })).rejects.toMatchObject({ code: "invalid_input" });
});

test("counts a resumed conversation from its earlier usage", async () => {
  const child = new StandInPi();
  const one = await opened(child, { state: "pi:1:a.jsonl" });
  expect(one.session.state).toBe("pi:1:a.jsonl");
  const usage = { input: 5, output: 1, totalTokens: 6, cost: { total: 1 } };
  const message = { role: "assistant", content: [], stopReason: "stop", usage };
  child.says = [start, { type: "message_end", message }, settled];
  expect(await prompted(one)).toContainEqual(
    expect.objectContaining({ scope: "session", costUsd: 3, context: { used: 6, size: 200_000 } }),
  );
});

test("rejects a conversation that pi created instead of resuming", async () => {
  const child = new StandInPi({ get_state: { data: { model, sessionFile: "/s/a.jsonl", messageCount: 0 } } });
  await expect(opened(child, { state: "pi:1:a.jsonl" })).rejects.toMatchObject({ code: "session_not_found" });
});

test("ends the turn on a crash, and refuses the next prompt", async () => {
  const child = new StandInPi();
  const { session, drive } = await opened(child);
  child.says = [start];
  const reading = drive.rest();
  await session.prompt({ text: "Go." });
  child.exit({ signal: "SIGKILL" });
  expect((await reading).at(-1)).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
  await expect(session.prompt({ text: "x" })).rejects.toMatchObject({ code: "agent_crashed" });
});
