import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { expectLawful } from "../../../test/support/lawful.ts";
import { createPuppet, type Puppet } from "../../../test/support/puppet.ts";
import { ReinsError } from "../../events/errors.ts";
import type { AgentEvent, EventOf, EventType, ReinsEvent } from "../../events/types.ts";
import type { Reins, ReinsOptions, Session, SessionOptions, Turn } from "../api.ts";
import { createReins } from "../reins.ts";

const open: Reins[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((reins) => reins.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "reins-core-"));
  folders.push(path);
  return path;
}

function reinsWith(puppet: Puppet, options: ReinsOptions = {}): Reins {
  const home = folder();
  const reins = createReins({
    agents: [puppet.entry],
    env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home, MY_API_KEY: "canary-secret-value" },
    guardian: false,
    ...options,
  });
  open.push(reins);
  return reins;
}

async function sessionWith(
  puppet: Puppet,
  options: SessionOptions = {},
  reinsOptions: ReinsOptions = {},
): Promise<Session> {
  return reinsWith(puppet, reinsOptions).session({
    agent: "puppet",
    cwd: folder(),
    ...options,
  });
}

async function all(turn: Turn): Promise<ReinsEvent[]> {
  const events: ReinsEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}

function only<Type extends EventType>(events: readonly ReinsEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}

async function until<Type extends EventType>(turn: Turn, type: Type): Promise<EventOf<Type>> {
  for await (const event of turn) if (event.type === type) return event as EventOf<Type>;
  throw new Error(`There was no ${type}.`);
}

const done: AgentEvent = { type: "turn.ended", outcome: "done" };
const text = (value: string): AgentEvent => ({ type: "message.completed", messageId: `m-${value}`, text: value });
const write: AgentEvent = {
  type: "tool.started",
  callId: "c1",
  tool: "write",
  nativeName: "Write",
  kind: "edit",
  title: "Write a.txt",
  input: { path: "a.txt" },
};
const asks: AgentEvent = {
  type: "permission.requested",
  requestId: "p1",
  callId: "c1",
  tool: "write",
  title: "Write a.txt",
  input: { path: "a.txt" },
  locations: [{ path: "a.txt" }],
  options: [
    { id: "yes", kind: "allow_once", label: "Allow" },
    { id: "always", kind: "allow_always", label: "Always", rule: "Write(*)" },
    { id: "no", kind: "reject_once", label: "Reject" },
  ],
};
const refused: AgentEvent = { type: "tool.failed", callId: "c1", error: { message: "no" }, reason: "error" };
const wrote: AgentEvent = { type: "tool.completed", callId: "c1", output: { text: "ok", bytes: 2, kept: 2 } };

describe("a turn", () => {
  test("is a lawful part of the session's events with a result", async () => {
    const puppet = createPuppet();
    puppet.onPrompt = (session) =>
      session.say(
        { type: "message.delta", messageId: "m", text: "Hel" },
        { type: "message.delta", messageId: "m", text: "lo" },
        done,
      );
    const session = await sessionWith(puppet);
    const turn = session.prompt("hi");
    const events = await all(turn);
    expect(events.map((event) => event.type)).toEqual([
      "turn.started",
      "turn.phase",
      "session.started",
      "message.delta",
      "message.delta",
      "message.completed",
      "turn.completed",
    ]);
    expectLawful(events);
    expect(await turn.result).toMatchObject({ outcome: "done", text: "Hello", state: "puppet:1:0" });
    expect(only(events, "turn.started")[0]?.input).toMatchObject({ text: "hi" });
  });

  test("can be read late, twice, or not at all", async () => {
    const puppet = createPuppet();
    puppet.onPrompt = (session, input) => session.say(text(input.text), done);
    const session = await sessionWith(puppet);
    const turn = session.prompt("one");
    expect((await turn.result).text).toBe("one");
    expect(await all(turn)).toEqual(await all(turn));
    expect((await session.prompt("two").result).text).toBe("two");
    await session.close();
    const events: ReinsEvent[] = [];
    for await (const event of session.events()) events.push(event);
    expectLawful(events);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  });

  test("fails with a result, not a rejection, when the agent refuses, throws or exits", async () => {
    const puppet = createPuppet();
    const session = await sessionWith(puppet);
    puppet.onPrompt = () => {
      throw new Error("no");
    };
    expect(await session.prompt("a").result).toMatchObject({
      outcome: "failed",
      error: { code: "internal", message: "no" },
    });
    puppet.onPrompt = (agent) => agent.explode(new Error("boom"));
    expect(await session.prompt("b").result).toMatchObject({ outcome: "failed", error: { message: "boom" } });
    puppet.onPrompt = (agent) => {
      agent.say(write);
      agent.die();
    };
    const turn = session.prompt("c");
    const events = await all(turn);
    expect(await turn.result).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
    expect(only(events, "tool.failed")[0]).toMatchObject({ reason: "unfinished", synthetic: true });
    expectLawful(events, { after: events[0]!.seq - 1 });
    puppet.onPrompt = (agent) => agent.say(text("back"), done);
    expect(await session.prompt("d").result).toMatchObject({ outcome: "done", text: "back" });
    expect(puppet.session.options.state).toMatch(/^puppet:1:/);
  });

  test("opens a new leg for a prompt sent when the agent died", async () => {
    const puppet = createPuppet();
    const dies: AgentEvent[] = [
      { type: "process.exited", code: 1, signal: null, stderrTail: "" },
      { type: "turn.ended", outcome: "failed", error: { code: "agent_crashed", message: "gone", retryable: true } },
    ];
    puppet.onPrompt = (agent, input) => agent.say(...(agent === puppet.sessions[0] ? dies : [text(input.text), done]));
    const session = await sessionWith(puppet);
    const first = session.prompt("one");
    const second = session.prompt("two", { whenBusy: "queue" });
    expect(await first.result).toMatchObject({ outcome: "failed", error: { code: "agent_crashed" } });
    puppet.sessions[0]!.die();
    expect(await second.result).toMatchObject({ outcome: "done", text: "two" });
    expect(await session.prompt("three").result).toMatchObject({ outcome: "done", text: "three" });
    expect(puppet.sessions).toHaveLength(2);
  });

  test("that the agent starts is a turn of its own", async () => {
    const puppet = createPuppet();
    puppet.onPrompt = (agent) =>
      agent.say(
        { type: "task.started", taskId: "t1", kind: "shell", title: "sleep", status: "running" },
        text("started"),
        { ...done, background: ["t1"] } as AgentEvent,
      );
    const session = await sessionWith(puppet);
    expect((await session.prompt("go").result).background).toEqual(["t1"]);
    puppet.session.say({ type: "task.updated", taskId: "t1", status: "completed" }, text("finished"), done);
    const events: ReinsEvent[] = [];
    for await (const event of session.events()) {
      events.push(event);
      if (only(events, "turn.completed").length === 2) break;
    }
    expect(only(events, "turn.started")[1]).toMatchObject({ origin: "agent", cause: "t1" });
    expectLawful(events);
  });
});

describe("invalid input is refused in one sentence without side effects", () => {
  test("prompts", async () => {
    const puppet = createPuppet();
    puppet.onPrompt = (agent, input) => agent.say(text(input.text.slice(0, 5)), done);
    const session = await sessionWith(puppet, {}, { limits: { promptBytes: 11_000_000 } });
    await expect(session.prompt("  \n").result).rejects.toMatchObject({
      code: "invalid_input",
      message: "The prompt is empty.",
    });
    await expect(session.prompt(undefined as never).result).rejects.toMatchObject({ code: "invalid_input" });
    await expect(session.prompt("x".repeat(12_000_000)).result).rejects.toMatchObject({ code: "invalid_input" });
    const events = await all(session.prompt(`-rf ${"y".repeat(10_000_000)}`));
    expect(puppet.session.prompts[0]?.text).toHaveLength(10_000_004);
    expect(only(events, "turn.started")[0]?.input).toMatchObject({ bytes: 10_000_004 });
    await session.close();
    await expect(session.prompt("late").result).rejects.toMatchObject({
      code: "invalid_input",
      message: "The session is closed.",
    });
  });

  test("agents, folders, models, modes and states", async () => {
    const puppet = createPuppet({ modes: ["ask"] });
    const reins = reinsWith(puppet);
    await expect(reins.session({ agent: "pupet" })).rejects.toMatchObject({
      code: "invalid_input",
      help: "Did you mean puppet?",
    });
    await expect(reins.session({ agent: "puppet", cwd: "/does/not/exist" })).rejects.toMatchObject({
      code: "invalid_input",
    });
    await expect(reins.session({ agent: "puppet", cwd: process.execPath })).rejects.toMatchObject({
      code: "invalid_input",
    });
    await expect(reins.session({ model: "no-such-model" })).rejects.toMatchObject({ code: "model_unknown" });
    await expect(reins.session({ agent: "puppet", mode: "full" })).rejects.toMatchObject({ code: "unsupported" });
    await expect(reins.session({ agent: "puppet", mode: "wild" as never })).rejects.toMatchObject({
      code: "invalid_input",
    });
    await expect(reins.session({ agent: "puppet", resume: "someone-else" })).rejects.toMatchObject({
      code: "session_not_found",
    });
    await expect(reins.session({ agent: "puppet", resume: "puppet:9:1" })).rejects.toMatchObject({
      code: "session_not_found",
    });
    await expect(reins.run("hi", { agent: "nobody" }).result).rejects.toMatchObject({ code: "invalid_input" });
    await reins.close();
    await expect(reins.session({ agent: "puppet" })).rejects.toMatchObject({ code: "invalid_input" });
  });
});

test("selects an agent by name, state, model, configuration, otherwise the first ready one", async () => {
  const puppet = createPuppet();
  const reins = reinsWith(puppet, { defaults: { agent: "puppet" } });
  for (const options of [{ resume: "puppet:1:7" }, { model: "string-1" }, {}]) {
    const session = await reins.session(options);
    expect(session.agent).toBe("puppet");
  }
  expect(puppet.sessions[0]?.options.state).toBe("puppet:1:7");
  const ready = reinsWith(createPuppet());
  expect((await ready.session()).agent).toBe("puppet");
});

describe("a prompt during a turn", () => {
  test("is refused by default", async () => {
    const puppet = createPuppet();
    const session = await sessionWith(puppet);
    const first = session.prompt("one");
    await expect(session.prompt("two").result).rejects.toMatchObject({ code: "session_busy", retryable: true });
    puppet.session.say(text("1"), done);
    expect((await first.result).text).toBe("1");
  });

  test("is queued on request, and can be cancelled in the queue", async () => {
    const puppet = createPuppet();
    const session = await sessionWith(puppet);
    const first = session.prompt("one");
    const second = session.prompt("two", { whenBusy: "queue" });
    const third = session.prompt("three", { whenBusy: "queue" });
    const reading = all(second);
    await third.cancel();
    await expect(third.result).rejects.toMatchObject({ code: "cancelled" });
    puppet.onPrompt = (agent, input) => agent.say(text(input.text), done);
    puppet.session.say(text("1"), done);
    const events = await all(first);
    expect(only(events, "input.added").map((event) => [event.text, event.how])).toEqual([
      ["two", "queue"],
      ["three", "queue"],
    ]);
    expect((await second.result).text).toBe("two");
    expectLawful([...events, ...(await reading)]);
    expect(puppet.session.prompts.map((prompt) => prompt.text)).toEqual(["one", "two"]);
  });

  test("is steered into the running turn on request", async () => {
    const puppet = createPuppet();
    const session = await sessionWith(puppet);
    const first = session.prompt("one");
    const steered = session.prompt("left", { whenBusy: "steer" });
    expect(puppet.session.steered).toMatchObject([{ text: "left" }]);
    puppet.session.say(text("went left"), done);
    expect(await steered.result).toEqual(await first.result);
    expect((await all(steered)).map((event) => event.type)).toEqual([
      "input.added",
      "session.started",
      "message.completed",
      "turn.completed",
    ]);
  });

  test("is steered into a turn that the agent started", async () => {
    const puppet = createPuppet();
    const session = await sessionWith(puppet);
    puppet.session.say({ type: "message.delta", messageId: "m", text: "by myself" });
    for await (const event of session.events()) if (event.type === "message.delta") break;
    const steered = session.prompt("go on", { whenBusy: "steer" });
    puppet.session.say(done);
    expect((await steered.result).text).toBe("by myself");
  });

  test("is queued with a notice when the agent cannot be steered", async () => {
    const puppet = createPuppet({ steer: false });
    const session = await sessionWith(puppet);
    const first = session.prompt("one");
    const second = session.prompt("left", { whenBusy: "steer" });
    puppet.onPrompt = (agent, input) => agent.say(text(input.text), done);
    puppet.session.say(done);
    expect(only(await all(first), "notice")[0]).toMatchObject({ code: "divergence" });
    expect((await second.result).text).toBe("left");
  });
});

describe("permissions", () => {
  async function asked(options: SessionOptions, reinsOptions: ReinsOptions = {}) {
    const puppet = createPuppet();
    puppet.onPrompt = (agent) => agent.say(write, asks);
    const session = await sessionWith(puppet, options, reinsOptions);
    const turn = session.prompt("write");
    const resolved = await until(turn, "permission.resolved");
    puppet.session.say(resolved.outcome === "allowed" ? wrote : refused, done);
    const events = await all(turn);
    expectLawful(events);
    return { resolved, events, answer: puppet.session.answers[0]?.answer };
  }

  test("are denied at once when nobody can answer", async () => {
    const { resolved, answer } = await asked({});
    expect(resolved).toMatchObject({ outcome: "denied", by: "deadline", optionId: "no" });
    expect(answer).toMatchObject({ decision: "deny" });
  });

  test("are answered by the callback", async () => {
    const seen: unknown[] = [];
    const { resolved, answer } = await asked({
      onPermission: (request) => {
        seen.push(request);
        return "always";
      },
    });
    expect(seen[0]).toMatchObject({
      type: "permission.requested",
      seq: expect.any(Number),
      deadline: expect.any(String),
    });
    expect(resolved).toMatchObject({ outcome: "allowed", by: "person", optionId: "always", rule: "Write(*)" });
    expect(answer).toMatchObject({ decision: "allow", optionId: "always" });
  });

  test("may change the input, deny with a message, and stop", async () => {
    const changed = await asked({ onPermission: () => ({ decision: "allow", changedInput: { path: "b.txt" } }) });
    expect(changed.resolved.changedInput).toEqual({ path: "b.txt" });
    expect(changed.answer).toMatchObject({ changedInput: { path: "b.txt" } });
    const stopped = await asked({ onPermission: () => Promise.resolve("stop" as const) });
    expect(stopped.resolved).toMatchObject({ outcome: "denied", stop: true });
  });

  test("are denied when the callback throws or returns nonsense", async () => {
    const thrown = await asked({
      onPermission: () => {
        throw new Error("tired");
      },
    });
    expect(thrown.resolved).toMatchObject({ outcome: "denied", by: "policy" });
    expect(thrown.resolved.message).toContain("tired");
    const nonsense = await asked({ onPermission: () => "maybe" as never });
    expect(nonsense.resolved.outcome).toBe("denied");
    const wrongOption = await asked({ onPermission: () => ({ decision: "allow", optionId: "no" }) });
    expect(wrongOption.resolved.outcome).toBe("denied");
  });

  test("are denied at the deadline", async () => {
    const { resolved } = await asked({ attended: true }, { deadlines: { permission: 20 } });
    expect(resolved).toMatchObject({ outcome: "denied", by: "deadline" });
  });

  test("are answered once, through the turn", async () => {
    const puppet = createPuppet();
    puppet.onPrompt = (agent) => agent.say(write, asks);
    const session = await sessionWith(puppet, { attended: true });
    const turn = session.prompt("write");
    const { requestId } = await until(turn, "permission.requested");
    expect(() => turn.answer("other", "allow")).toThrow(expect.objectContaining({ code: "invalid_input" }));
    turn.answer(requestId, "allow");
    expect(() => turn.answer(requestId, "deny")).toThrow(expect.objectContaining({ code: "invalid_input" }));
    expect(puppet.session.answers).toHaveLength(1);
    puppet.session.say(wrote, done);
    expectLawful(await all(turn));
  });

  test("follow the mode", async () => {
    expect((await asked({ mode: "full" })).resolved).toMatchObject({ outcome: "allowed", by: "policy" });
    expect((await asked({ mode: "edits" })).resolved).toMatchObject({ outcome: "allowed", by: "policy" });
    expect((await asked({ mode: "read", onPermission: () => "allow" })).resolved).toMatchObject({
      outcome: "denied",
      by: "policy",
    });
    expect((await asked({ mode: "plan", onPermission: () => "allow" })).resolved).toMatchObject({
      outcome: "denied",
      by: "policy",
    });
  });

  test("are settled when the agent withdraws them", async () => {
    const puppet = createPuppet();
    puppet.onPrompt = (agent) => agent.say(asks);
    let aborted = false;
    const session = await sessionWith(puppet, {
      onPermission: (_request, signal) =>
        new Promise(() => {
          signal.addEventListener("abort", () => (aborted = true));
        }),
    });
    const turn = session.prompt("write");
    await until(turn, "permission.requested");
    puppet.session.say({ type: "permission.resolved", requestId: "p1", outcome: "cancelled", by: "agent" }, done);
    const events = await all(turn);
    expect(aborted).toBe(true);
    expect(puppet.session.answers).toEqual([]);
    expect(only(events, "tool.started")[0]?.synthetic).toBe(true);
    expectLawful(events);
  });
});

describe("held tools", () => {
  const held = (tool: "read" | "shell"): AgentEvent => ({
    type: "tool.held",
    requestId: "h1",
    callId: "c9",
    tool,
    nativeName: "X",
    title: "X",
    input: {},
  });

  test.each([
    ["ask", "shell", "defer"],
    ["edits", "shell", "defer"],
    ["full", "shell", "allow"],
    ["read", "shell", "deny"],
    ["read", "read", "defer"],
  ] as const)("in mode %s %s: %s", async (mode, tool, decision) => {
    const puppet = createPuppet();
    const session = await sessionWith(puppet, { mode });
    const answered = Promise.withResolvers<void>();
    puppet.onPrompt = (agent) => {
      const note = agent.answer.bind(agent);
      agent.answer = (id, answer) => {
        note(id, answer);
        answered.resolve();
      };
      agent.say(held(tool));
    };
    const turn = session.prompt("go");
    await answered.promise;
    expect(puppet.session.answers[0]?.answer).toMatchObject({ decision });
    puppet.session.say({ type: "tool.failed", callId: "c9", error: { message: "x" }, reason: "error" }, done);
    const events = await all(turn);
    expect(only(events, "permission.resolved")).toHaveLength(decision === "deny" ? 1 : 0);
    expect(only(events, "tool.failed")[0]?.reason).toBe(decision === "deny" ? "denied" : "error");
    expectLawful(events);
  });
});

describe("questions", () => {
  const question: AgentEvent = {
    type: "question.requested",
    requestId: "q1",
    questions: [{ id: "colour", text: "Which?", options: [{ label: "Red" }], multiple: false }],
  };

  test.each([
    [{}, "skipped", "deadline"],
    [{ onQuestion: () => ({ colour: "Red" }) }, "answered", "person"],
    [{ onQuestion: () => "skip" as const }, "skipped", "person"],
  ] satisfies [SessionOptions, string, string][])("%o: %s by %s", async (options, outcome, by) => {
    const puppet = createPuppet();
    puppet.onPrompt = (agent) => agent.say(question);
    const session = await sessionWith(puppet, options);
    const turn = session.prompt("ask me");
    expect(await until(turn, "question.resolved")).toMatchObject({ outcome, by });
    puppet.session.say(done);
    expectLawful(await all(turn));
  });
});

describe("cancel", () => {
  test("settles the turn, its permissions and its tools, and leaves the session usable", async () => {
    const puppet = createPuppet();
    puppet.onPrompt = (agent) => agent.say(write, asks);
    const session = await sessionWith(puppet, { attended: true });
    const turn = session.prompt("write");
    await until(turn, "permission.requested");
    await turn.cancel();
    const events = await all(turn);
    expect(await turn.result).toMatchObject({ outcome: "cancelled" });
    expect(only(events, "permission.resolved")[0]).toMatchObject({ outcome: "cancelled", by: "cancel" });
    expect(only(events, "tool.failed")[0]?.reason).toBe("cancelled");
    expectLawful(events);
    puppet.onPrompt = (agent) => agent.say(done);
    expect((await session.prompt("again").result).outcome).toBe("done");
    expect(puppet.sessions).toHaveLength(1);
  });

  test("does nothing when idle", async () => {
    const session = await sessionWith(createPuppet());
    await session.cancel();
  });

  test("works by signal", async () => {
    const puppet = createPuppet();
    const session = await sessionWith(puppet);
    const abort = new AbortController();
    const turn = session.prompt("go", { signal: abort.signal });
    abort.abort();
    expect((await turn.result).outcome).toBe("cancelled");
    await expect(session.prompt("go", { signal: abort.signal }).result).rejects.toMatchObject({ code: "cancelled" });
  });

  test("stops an agent that does not react, and the next prompt restarts it", async () => {
    const puppet = createPuppet();
    puppet.onCancel = () => {};
    const session = await sessionWith(puppet, {}, { deadlines: { cancel: 20 } });
    const turn = session.prompt("go");
    await turn.cancel();
    expect((await turn.result).outcome).toBe("cancelled");
    expect(puppet.session.closed).toBe(true);
    puppet.onPrompt = (agent) => agent.say(done);
    expect((await session.prompt("again").result).outcome).toBe("done");
    expect(puppet.sessions).toHaveLength(2);
  });

  test("works while the reader is stalled and the agent is paused", async () => {
    const puppet = createPuppet();
    const session = await sessionWith(puppet, {}, { limits: { waitingBytes: 10_000 } });
    const turn = session.prompt("flood");
    const reader = turn[Symbol.asyncIterator]();
    await reader.next();
    for (let i = 0; i < 50; i++) puppet.session.say({ type: "message.delta", messageId: "m", text: "x".repeat(1000) });
    while (puppet.session.pulled < 5) await new Promise((resolve) => setImmediate(resolve));
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(puppet.session.pulled).toBeLessThan(20);
    await turn.cancel();
    expect((await turn.result).outcome).toBe("cancelled");
    const events = await all(turn);
    expect(only(events, "notice").map((event) => event.code)).toContain("truncated");
    expectLawful(events);
  });

  test("works before the session is open", async () => {
    const puppet = createPuppet();
    const turn = reinsWith(puppet).run("hi", { agent: "puppet" });
    await turn.cancel();
    await expect(turn.result).rejects.toMatchObject({ code: "cancelled" });
    expect(puppet.sessions.flatMap((session) => session.prompts)).toEqual([]);
  });
});

test("closing during a turn cancels it and ends the readers", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet);
  const turn = session.prompt("go");
  const queued = session.prompt("later", { whenBusy: "queue" });
  const reading = all(turn);
  await session.close();
  expect((await turn.result).outcome).toBe("cancelled");
  await expect(queued.result).rejects.toMatchObject({ code: "cancelled" });
  expectLawful(await reading);
});

test("run closes its session, and using disposes everything", async () => {
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => agent.say(text("hi"), done);
  {
    await using reins = reinsWith(puppet);
    expect((await reins.run("hello", { agent: "puppet" }).result).text).toBe("hi");
    await using session = await reins.session({ agent: "puppet" });
    expect(session.state).toBe("puppet:1:1");
  }
  expect(puppet.sessions.every((session) => session.closed)).toBe(true);
});

test("silence causes a notice, and fails a turn only when the caller asked for it", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet, {}, { deadlines: { quiet: 15 } });
  const turn = session.prompt("think");
  expect(await until(turn, "notice")).toMatchObject({ code: "quiet" });
  puppet.session.say(done);
  await turn.result;
  const strict = await sessionWith(createPuppet(), { maxQuietMs: 15 });
  expect(await strict.prompt("think").result).toMatchObject({ outcome: "failed", error: { code: "agent_hung" } });
});

test("silence while Reins searches for changes is not the agent's", async () => {
  const bin = folder();
  writeFileSync(join(bin, "git"), "#!/bin/sh\nsleep 0.2\nexit 1\n", { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: bin, REINS_HOME: bin };
  const puppet = createPuppet();
  const shell: AgentEvent = { ...write, tool: "shell", nativeName: "Bash", kind: "execute", title: "make" };
  puppet.onPrompt = (agent) => agent.say(shell, wrote, done);
  const session = await sessionWith(puppet, { maxQuietMs: 100 }, { env });
  expect(await session.prompt("make").result).toMatchObject({ outcome: "done", filesChangedIncomplete: true });
  expect(puppet.session.closed).toBe(false);
});

test("a fork has no state at first, and is made once", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet, { resume: "puppet:1:7", fork: true });
  expect(puppet.session.options).toMatchObject({ state: "puppet:1:7", fork: true });
  puppet.onPrompt = (agent) => agent.die();
  await session.prompt("one").result;
  puppet.onPrompt = (agent) => agent.say(done);
  await session.prompt("two").result;
  expect(puppet.session.options.fork).toBe(false);
});

test("an agent that died before it saved anything starts again, and reports it", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet);
  puppet.onPrompt = (agent) => agent.die();
  expect((await session.prompt("one").result).outcome).toBe("failed");
  puppet.onOpen = ({ state }) => {
    if (state !== undefined) throw new ReinsError("session_not_found", "There is no such conversation.");
  };
  puppet.onPrompt = (agent) => agent.say(done);
  const events = await all(session.prompt("two"));
  expect(only(events, "session.updated")).toMatchObject([{ reset: true, by: "agent" }]);
  expect(events.at(-1)).toMatchObject({ outcome: "done" });
  // An agent must not lose silently what it once saved.
  puppet.onPrompt = (agent) => agent.die();
  await session.prompt("three").result;
  expect(await session.prompt("four").result).toMatchObject({ error: { code: "session_not_found" } });
});

test("changes model and mode, and the mode applies from then on", async () => {
  const puppet = createPuppet();
  const session = await sessionWith(puppet);
  await session.configure({ model: "string-2", mode: "full" });
  expect(puppet.session.changes).toEqual([{ model: "string-2", mode: "full" }]);
  puppet.onPrompt = (agent) => agent.say(write, asks, wrote, done);
  const events = await all(session.prompt("write"));
  expect(only(events, "permission.resolved")[0]).toMatchObject({ outcome: "allowed", by: "policy" });
});

test("leaves plan mode only by an approved plan, then asks", async () => {
  const plan: AgentEvent = {
    ...asks,
    requestId: "p0",
    callId: "c0",
    tool: "plan",
    input: { plan: "# Do it" },
  } as AgentEvent;
  const leaves: AgentEvent = { type: "session.updated", mode: "full", by: "agent" };
  for (const approved of [true, false]) {
    const puppet = createPuppet();
    puppet.onPrompt = (agent) => agent.say(plan);
    const session = await sessionWith(puppet, {
      mode: "plan",
      onPermission: (request) => (request.tool === "plan" && !approved ? "deny" : "allow"),
    });
    const turn = session.prompt("plan it");
    await until(turn, "permission.resolved");
    puppet.session.say(leaves, asks);
    for await (const event of turn) if (event.type === "permission.resolved" && event.requestId === "p1") break;
    puppet.session.say(done);
    const [, second] = only(await all(turn), "permission.resolved");
    expect(second).toMatchObject(approved ? { outcome: "allowed", by: "person" } : { outcome: "denied", by: "policy" });
  }
});

test("a plan that the agent itself began ends in the user's mode", async () => {
  const plan = { ...asks, requestId: "p0", callId: "c0", tool: "plan", input: { plan: "# Do it" } } as AgentEvent;
  const puppet = createPuppet();
  puppet.onPrompt = (agent) =>
    agent.say(
      { type: "session.updated", mode: "plan", by: "agent" },
      plan,
      { type: "session.updated", mode: "ask", by: "agent" },
      write,
      asks,
      wrote,
      done,
    );
  const session = await sessionWith(puppet, { mode: "full" });
  const events = await all(session.prompt("plan it and do it"));
  expect(only(events, "permission.resolved")).toMatchObject([
    { outcome: "allowed", by: "policy" },
    { outcome: "allowed", by: "policy" },
  ]);
  expect(only(events, "session.updated").map((event) => event.mode)).toEqual(["plan", "full"]);
});

test("redacts secrets everywhere", async () => {
  const secret = "canary-secret-value";
  const puppet = createPuppet();
  puppet.onPrompt = (agent) =>
    agent.say(
      { type: "message.delta", messageId: "m", text: `it is ${secret.slice(0, 7)}` },
      { type: "message.delta", messageId: "m", text: `${secret.slice(7)}!` },
      { ...write, input: { nested: [secret] }, title: `Write ${secret}` } as AgentEvent,
      { ...wrote, output: { text: `got ${secret}`, bytes: 1, kept: 1 } } as AgentEvent,
      { type: "notice", level: "info", code: "stderr", message: secret, raw: { line: secret } },
      { type: "turn.ended", outcome: "failed", error: { code: "internal", message: secret, retryable: false } },
    );
  const session = await sessionWith(puppet);
  const events = await all(session.prompt(`my key is ${secret}`));
  expect(JSON.stringify(events)).not.toContain(secret);
  expectLawful(events);
});

test("reports unsupported options at the start of the turn", async () => {
  const puppet = createPuppet();
  puppet.onPrompt = (agent) => agent.say(done);
  const session = await sessionWith(puppet, { maxTurns: 3, systemPrompt: { text: "x", how: "replace" } });
  const notices = only(await all(session.prompt("go")), "notice");
  expect(notices.map((notice) => notice.code)).toEqual(["divergence", "divergence"]);
});
