import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { expectLawful } from "../../../test/support/lawful.ts";
import { createPuppet, type Puppet } from "../../../test/support/puppet.ts";
import type { AgentEvent, EventOf, EventType, ReinsEvent } from "../../events/types.ts";
import type { Reins, ReinsOptions, Session, SessionOptions, Turn } from "../api.ts";
import { createReins } from "../reins.ts";

let root: string;
let cwd: string;
let puppet: Puppet;
const open: Reins[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "reins-follow-"));
  cwd = join(root, "project");
  mkdirSync(cwd);
  puppet = createPuppet();
  puppet.onPrompt = (session, { text }) => session.say(message(`Heard: ${text.split("\n")[0]}`), done);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((reins) => reins.close()));
  rmSync(root, { recursive: true, force: true });
});

let messages = 0;
const message = (text: string): AgentEvent => ({ type: "message.completed", messageId: `m${messages++}`, text });
const done: AgentEvent = { type: "turn.ended", outcome: "done" };
const used = (input: number): AgentEvent => ({ type: "usage.updated", scope: "turn", tokens: { input, output: 0 } });

function session(options: SessionOptions = {}, reinsOptions: ReinsOptions = {}): Promise<Session> {
  const env = { PATH: process.env["PATH"], HOME: root, REINS_HOME: root };
  const reins = createReins({ agents: [puppet.entry], env, guardian: false, ...reinsOptions });
  open.push(reins);
  return reins.session({ agent: "puppet", cwd, ...options });
}
async function all(turn: Turn): Promise<ReinsEvent[]> {
  const events: ReinsEvent[] = [];
  for await (const event of turn) events.push(event);
  // The laws apply to a whole session.
  if (events[0]?.seq === 1) expectLawful(events);
  return events;
}
const only = <Type extends EventType>(events: readonly ReinsEvent[], type: Type) =>
  events.filter((event): event is EventOf<Type> => event.type === type);

describe("a budget", () => {
  test("stops the agent when only its own turn ended inside the prompted one", async () => {
    puppet.onPrompt = (agent) => agent.say(used(100), { type: "turn.ended", outcome: "done", origin: "agent" });
    const one = await session({ budget: { turn: { tokens: 100 } } });
    expect(await one.prompt("go").result).toMatchObject({ outcome: "budget" });
    expect(puppet.session.cancels).toBe(1);
  });

  test("warns at 80 %, then cancels the agent and ends the turn with outcome budget", async () => {
    puppet.onPrompt = (agent) => {
      agent.say(used(80));
      agent.say(used(100));
    };
    puppet.onCancel = (agent) => agent.say({ type: "turn.ended", outcome: "cancelled" });
    const one = await session({ budget: { turn: { tokens: 100 } } });
    const turn = one.prompt("go");
    const events = await all(turn);
    expect(only(events, "notice")).toMatchObject([
      { level: "warning", code: "budget", message: "The budget is nearly spent: 80 of 100 tokens for this turn." },
    ]);
    expect(await turn.result).toMatchObject({
      outcome: "budget",
      error: { code: "budget_exceeded", message: "The budget is spent: 100 of 100 tokens for this turn." },
    });
    expect(puppet.session.cancels).toBe(1);
    // The session stays usable.
    puppet.onPrompt = (agent) => agent.say(done);
    expect(await one.prompt("again").result).toMatchObject({ outcome: "done" });
  });

  test.each([Number.NaN, 0, -1])("rejects %d", async (tokens) => {
    await expect(session({ budget: { turn: { tokens } } })).rejects.toMatchObject({
      code: "invalid_input",
      message: `The budget turn.tokens must be more than 0, and is ${tokens}.`,
    });
  });

  test("a limit on time includes after-steps", async () => {
    const one = await session({
      after: "sleep 30",
      budget: { turn: { seconds: 0.2 } },
      continue: [{ after: "failed" }],
    });
    const events = await all(one.prompt("go"));
    // On a busy machine the budget may be spent before the step runs.
    for (const failed of only(events, "tool.failed"))
      expect(failed).toMatchObject({
        reason: "cancelled",
        error: { message: expect.stringMatching(/^The budget was spent (?:while|before) it ran\.$/) },
      });
    expect(events.at(-1)).toMatchObject({ outcome: "budget", error: { code: "budget_exceeded" } });
    expect(puppet.session.prompts).toHaveLength(1);
  });

  test("a limit on time applies while a person is asked about an after-step", async () => {
    writeFileSync(join(cwd, "reins.config.json"), JSON.stringify({ after: "touch ran" }));
    const one = await session({ budget: { turn: { seconds: 0.2 } }, onPermission: () => new Promise(() => {}) });
    const events = await all(one.prompt("go"));
    for (const resolved of only(events, "permission.resolved"))
      expect(resolved).toMatchObject({ outcome: "cancelled" });
    expect(events.at(-1)).toMatchObject({ outcome: "budget" });
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });

  test("asks no agent once it is spent", async () => {
    const one = await session({ budget: { session: { turns: 1 } } });
    await one.prompt("one").result;
    const events = await all(one.prompt("two"));
    expect(events.map(({ type }) => type)).toEqual(["turn.started", "turn.phase", "turn.completed"]);
    expect(events.at(-1)).toMatchObject({ outcome: "budget", error: { code: "budget_exceeded" } });
    expect(puppet.session.prompts).toHaveLength(1);
    // A refused turn is not counted.
    expect(await one.prompt("three").result).toMatchObject({
      error: { message: "The budget is spent: 1 of 1 turns for this session." },
    });
  });

  test("is shared by the day's sessions, and time alone may spend it", async () => {
    puppet.onPrompt = () => undefined;
    puppet.onCancel = (agent) => agent.say({ type: "turn.ended", outcome: "cancelled" });
    const one = await session({ budget: { day: { seconds: 0.05 } } });
    expect(await one.prompt("wait").result).toMatchObject({
      outcome: "budget",
      error: { message: expect.stringMatching(/^The budget is spent: .+ of 0.05 seconds today\.$/) },
    });
    const two = await open[0]!.session({ agent: "puppet", cwd, budget: { day: { seconds: 0.05 } } });
    expect(await two.prompt("more").result).toMatchObject({ outcome: "budget" });
  });

  test("does not hide a cancel", async () => {
    puppet.onPrompt = (agent) => agent.say(used(100));
    const one = await session({ budget: { turn: { tokens: 100 } } });
    const turn = one.prompt("go");
    puppet.onCancel = (agent) => {
      void turn.cancel();
      agent.say({ type: "turn.ended", outcome: "cancelled" });
    };
    expect(await turn.result).toMatchObject({ outcome: "cancelled" });
  });

  test("in dollars uses the price list when the agent reports no cost", async () => {
    puppet.onPrompt = (agent) => agent.say(used(150_000), done);
    const one = await session({ model: "gpt-5.5", budget: { session: { usd: 1 } } });
    const first = await all(one.prompt("one"));
    expect(only(first, "usage.updated")).toMatchObject([{ costUsd: 0.75, costSource: "prices" }]);
    // A cost reported only at the end comes too late for that turn.
    expect(await one.prompt("two").result).toMatchObject({ outcome: "done" });
    expect(await one.prompt("three").result).toMatchObject({ outcome: "budget" });
  });
});

describe("after-steps", () => {
  test("run as shell calls of the turn, and their changes are seen", async () => {
    const one = await session({ after: ["touch made"] });
    const events = await all(one.prompt("go"));
    expect(only(events, "tool.started")).toMatchObject([
      { tool: "shell", nativeName: "after", title: "Run touch made" },
    ]);
    expect(only(events, "tool.completed")).toMatchObject([{ exitCode: 0 }]);
    expect(events.at(-1)).toMatchObject({ outcome: "done", toolCalls: 1 });
    expect(existsSync(join(cwd, "made"))).toBe(true);
  });

  test.each(["read", "plan"] as const)("are denied in mode %s, whoever wrote them", async (mode) => {
    const one = await session({ mode, after: "touch made" });
    const events = await all(one.prompt("go"));
    expect(only(events, "permission.resolved")).toMatchObject([{ outcome: "denied", by: "policy" }]);
    expect(only(events, "tool.failed")).toMatchObject([{ reason: "denied" }]);
    expect(existsSync(join(cwd, "made"))).toBe(false);
  });

  test.each([
    ["nobody answers", undefined, "denied", "deadline"],
    ["a person says no", "deny", "denied", "person"],
    ["a person says yes", "allow", "allowed", "person"],
  ] as const)("ask even in mode full when they come from the project: %s", async (_name, reply, outcome, by) => {
    writeFileSync(join(cwd, "reins.config.json"), JSON.stringify({ after: "touch made" }));
    const asked: string[] = [];
    const onPermission =
      reply === undefined
        ? undefined
        : ({ title, reason }: { title: string; reason?: string | undefined }) => {
            asked.push(`${title}: ${reason}`);
            return reply;
          };
    const one = await session({ mode: "full", onPermission });
    const events = await all(one.prompt("go"));
    expect(only(events, "permission.resolved")).toMatchObject([{ outcome, by }]);
    expect(existsSync(join(cwd, "made"))).toBe(outcome === "allowed");
    if (reply !== undefined) expect(asked).toEqual(["Run touch made: It came with the project."]);
  });

  test.each([
    ["allow", "ask", true],
    ["deny", "full", false],
  ] as const)("from a project follow the user's rule: %s", async (decision, mode, runs) => {
    writeFileSync(
      join(root, "config.json"),
      JSON.stringify({ policy: { rules: [{ decision, command: "touch made" }] } }),
    );
    writeFileSync(join(cwd, "reins.config.json"), JSON.stringify({ after: "touch made" }));
    const events = await all((await session({ mode })).prompt("go"));
    expect(only(events, "permission.resolved")).toMatchObject([{ outcome: runs ? "allowed" : "denied", by: "policy" }]);
    expect(existsSync(join(cwd, "made"))).toBe(runs);
  });

  test("are stopped with all their processes when the turn is cancelled", async () => {
    const one = await session({ after: "sleep 60" });
    const turn = one.prompt("go");
    for await (const event of turn) if (event.type === "permission.resolved") void turn.cancel();
    expect(await turn.result).toMatchObject({ outcome: "cancelled" });
    expect(puppet.session.cancels).toBe(0);
  });

  test("that wait for a person end when the session is closed", async () => {
    writeFileSync(join(cwd, "reins.config.json"), JSON.stringify({ after: "touch made" }));
    const one = await session({ attended: true });
    const turn = one.prompt("go");
    for await (const event of turn) if (event.type === "permission.requested") void one.close();
    expect(await turn.result).toMatchObject({ outcome: "cancelled" });
    expect(existsSync(join(cwd, "made"))).toBe(false);
  });

  test("refuse the session when they are not valid commands", async () => {
    await expect(session({ after: "make && make install" })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("which only a shell understands"),
    });
    expect(puppet.sessions).toEqual([]);
  });

  test("report a workspace that was deleted during the turn", async () => {
    puppet.onPrompt = (agent) => {
      rmSync(cwd, { recursive: true });
      agent.say(done);
    };
    const one = await session({ after: "true" });
    const events = await all(one.prompt("go"));
    expect(only(events, "tool.failed")).toMatchObject([{ error: { message: `The folder ${cwd} does not exist.` } }]);
    expect(events.at(-1)).toMatchObject({ outcome: "done" });
  });
});

test("names a deleted workspace as the reason when the agent fails", async () => {
  const failed = {
    type: "turn.ended",
    outcome: "failed",
    error: { code: "internal", message: "uv_cwd", retryable: false },
  };
  puppet.onPrompt = (agent) => agent.say(failed as AgentEvent);
  const one = await session();
  expect(only(await all(one.prompt("go")), "notice")).toEqual([]);
  rmSync(cwd, { recursive: true });
  expect(only(await all(one.prompt("go")), "notice")).toMatchObject([
    {
      level: "error",
      code: "workspace",
      message: `The folder ${cwd} does not exist any more. Create it again, or start a session in another folder.`,
    },
  ]);
});

describe("continuing automatically", () => {
  test("is a separate turn; the caller gets all turns and the last result", async () => {
    writeFileSync(join(cwd, "bad"), "");
    puppet.onPrompt = (agent, { text }) => {
      if (text.includes("exit code")) rmSync(join(cwd, "bad"));
      agent.say(message(text), done);
    };
    const one = await session({ after: [["test", "!", "-e", "bad"]], continue: [{ after: "failed" }] });
    const turn = one.prompt("go");
    const events = await all(turn);
    const [first, second] = only(events, "turn.started");
    const [ended, last] = only(events, "turn.completed");
    expect(first).toMatchObject({ turnId: turn.id, input: { text: "go" } });
    expect(ended).toMatchObject({ turnId: turn.id, next: second?.turnId });
    expect(second).toMatchObject({
      continues: turn.id,
      input: { text: expect.stringContaining("ended with exit code 1") },
    });
    expect(last?.next).toBeUndefined();
    expect(await turn.result).toEqual(last);
    expect(only(events, "tool.completed").map(({ exitCode }) => exitCode)).toEqual([1, 0]);
  });

  test("stops after five times with a notice", async () => {
    const one = await session({ continue: [{ text: "heard" }] });
    const events = await all(one.prompt("go"));
    expect(only(events, "turn.completed")).toHaveLength(6);
    expect(only(events, "notice")).toMatchObject([{ code: "continue" }]);
    expect(puppet.session.prompts.slice(1).map(({ text }) => text)).toEqual(Array.from({ length: 5 }, () => "Go on."));
    // A user's prompt starts a new count.
    expect(only(await all(one.prompt("go")), "turn.completed")).toHaveLength(6);
  });

  test("ends on a cancel or another prompt", async () => {
    const one = await session({ continue: [{ outcome: "done" }] });
    const turn = one.prompt("go");
    puppet.onPrompt = (agent, { text }) => {
      if (text === "Go on.") void turn.cancel();
      agent.say(done);
    };
    puppet.onCancel = (agent) => agent.say({ type: "turn.ended", outcome: "cancelled" });
    await turn.result;
    expect(puppet.session.prompts.length).toBeLessThan(4);
    puppet.onPrompt = (agent) => agent.say(done);
    const [again, other] = [one.prompt("again"), one.prompt("other", { whenBusy: "queue" })];
    expect(only(await all(again), "turn.completed")).toHaveLength(1);
    expect(only(await all(other), "turn.completed")).toHaveLength(6);
  });

  test("is awaited by a single prompt run", async () => {
    const one = await session();
    await one.close();
    const turn = open[0]!.run("go", { agent: "puppet", cwd, continue: [{ outcome: "done", times: 2 }] });
    expect(only(await all(turn), "turn.completed")).toHaveLength(3);
    expect((await turn.result).next).toBeUndefined();
  });
});
