import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/events/types.ts";
import { rest, until } from "../support/core.ts";
import { all, cast, done, fails, of, says, turn } from "./support.ts";

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

describe("patience", () => {
  it("waits for a near reset, says until when, and asks the same agent again", async () => {
    const { a, b, session } = cast();
    const resetsAt = inMs(40);
    a.onPrompt = (one) =>
      one.say(...(one.prompts.length === 1 ? [fails("rate_limited", resetsAt)] : [says("Now."), done]));
    const opened = await session();
    const events = await turn(opened, "Do it.");
    expect(events.at(-1)).toMatchObject({ outcome: "done", agent: "a" });
    expect(of(events, "notice")).toMatchObject([{ code: "waiting", message: expect.stringContaining(resetsAt) }]);
    expect(a.session.prompts).toEqual([{ text: "Do it." }, { text: "Do it." }]);
    expect(b.sessions).toEqual([]);
    await all(opened);
  });

  it("does not repeat the prompt to an agent that had started on it", async () => {
    const { a, session } = cast();
    a.onPrompt = (one) =>
      one.say(...(one.prompts.length === 1 ? [says("I begin."), fails("rate_limited", inMs(10))] : [done]));
    await turn(await session(), "Do it.");
    expect(a.session.prompts[1]!.text).toMatch(/^You were interrupted/);
  });

  it("repeats everything to an agent that took over and had not started", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) => one.say(says("By a."), fails("overloaded"));
    b.onPrompt = (one) => one.say(one.prompts.length === 1 ? fails("rate_limited", inMs(10)) : done);
    await turn(await session(), "Do it.");
    expect(b.session.prompts[1]).toEqual(b.session.prompts[0]);
    expect(b.session.prompts[1]!.text).toContain("By a.");
  });

  it("waits for an agent once per turn, then moves on", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) => one.say(fails("rate_limited", inMs(10)));
    b.onPrompt = (one) => one.say(done);
    const events = await turn(await session(), "Do it.");
    expect(a.session.prompts).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ outcome: "done", agent: "b" });
  });

  it("moves on at once when the reset is later than the patience", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) => one.say(fails("quota_exhausted", inMs(5000)));
    b.onPrompt = (one) => one.say(done);
    const events = await turn(await session({ route: { patienceMs: 1000 } }), "Do it.");
    expect(of(events, "notice")).toEqual([]);
    expect(of(events, "agent.switched")).toMatchObject([{ reason: "quota_exhausted" }]);
  });

  it("ends on a cancel", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) => one.say(fails("rate_limited", inMs(50_000)));
    // The agent is idle, so it has nothing to cancel.
    a.onCancel = () => {};
    const opened = await session();
    const running = opened.prompt("Do it.");
    await until(running, "notice");
    await running.cancel();
    expect((await running.result).outcome).toBe("cancelled");
    expect(a.session).toMatchObject({ cancels: 0, closed: false });
    expect(b.sessions).toEqual([]);
    a.onPrompt = (one) => one.say(done);
    expect((await turn(opened, "Again.")).at(-1)).toMatchObject({ outcome: "done", agent: "a" });
    await all(opened);
  });

  it("ends when the session is closed", async () => {
    const { a, session } = cast();
    a.onPrompt = (one) => one.say(fails("rate_limited", inMs(50_000)));
    const opened = await session();
    const running = opened.prompt("Do it.");
    await until(running, "notice");
    await all(opened);
    expect((await running.result).outcome).toBe("cancelled");
  });
});

describe("an agent's own retries are cut short", () => {
  const retrying = (code: "not_authenticated" | "model_unknown" | "rate_limited", more: object = {}) =>
    ({ type: "agent.retrying", attempt: 1, error: { code, message: "No.", retryable: true, ...more } }) as const;

  it.each([
    ["not_authenticated", retrying("not_authenticated")],
    ["model_unknown", retrying("model_unknown")],
    ["rate_limited", retrying("rate_limited", { resetsAt: inMs(3_600_000) })],
    ["rate_limited", { ...retrying("rate_limited"), delayMs: 3_600_000 }],
  ] as const)("%s", async (reason, retry) => {
    const { a, b, session } = cast();
    a.onPrompt = (one) => one.say(retry);
    b.onPrompt = (one) => one.say(done);
    const opened = await session();
    const events = await turn(opened, "Do it.");
    expect(events.at(-1)).toMatchObject({ outcome: "done", agent: "b" });
    expect(of(events, "agent.switched")).toMatchObject([{ from: "a", reason }]);
    expect(a.session.closed).toBe(true);
    await all(opened);
  });

  it("but not in a turn that the agent started itself, which no other agent would continue", async () => {
    const { a, session } = cast();
    const opened = await session();
    a.session.say(says("By myself."), retrying("not_authenticated"), { ...done, origin: "agent" } as AgentEvent);
    a.onPrompt = (one) => one.say(done);
    await rest();
    expect(a.session.closed).toBe(false);
    expect(of(await all(opened), "turn.completed")).toMatchObject([{ outcome: "done", agent: "a" }]);
  });

  it("but not without another agent, and not for a short wait", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) => one.say(retrying("not_authenticated"), done);
    expect((await turn(await session({ fallback: [] }), "Do it.")).at(-1)).toMatchObject({ outcome: "done" });
    a.onPrompt = (one) => one.say({ ...retrying("rate_limited"), delayMs: 500 }, done);
    expect((await turn(await session(), "Do it.")).at(-1)).toMatchObject({ outcome: "done", agent: "a" });
    expect(b.sessions).toEqual([]);
  });
});

describe("the circuit breaker", () => {
  it("keeps the next session from an agent that is down", async () => {
    const { reins, a, b, session } = cast();
    a.onPrompt = (one) => one.say(fails("quota_exhausted", inMs(3_600_000)));
    b.onPrompt = (one) => one.say(done);
    await turn(await session(), "Do it.");
    const second = await session();
    expect(second.agent).toBe("b");
    expect(of(await all(second), "agent.switched")).toMatchObject([{ from: "a", to: "b", reason: "quota_exhausted" }]);
    expect(a.sessions).toHaveLength(1);
    await (await reins.manage("a")).login();
    expect((await session()).agent).toBe("a");
  });

  it.each([
    ["not_authenticated", "a"],
    ["quota_exhausted", "b"],
  ] as const)("after %s the agents are checked again, and %s takes the next session", async (code, next) => {
    const { reins, a, b, session } = cast();
    a.onPrompt = (one) => one.say(fails(code, inMs(3_600_000)));
    b.onPrompt = (one) => one.say(done);
    await turn(await session(), "Do it.");
    await reins.agents({ fresh: true });
    expect((await session()).agent).toBe(next);
  });

  it("skips an agent that is down and says until when", async () => {
    const { a, b, c, session } = cast();
    const resetsAt = inMs(3_600_000);
    for (const one of [a, b]) one.onPrompt = (to) => to.say(fails("quota_exhausted", resetsAt));
    c.onPrompt = (one) => one.say(done);
    await turn(await session({ agent: "b", fallback: ["c"] }), "Do it.");
    const events = await turn(await session(), "Do it.");
    expect(of(events, "agent.switched").map(({ from, to }) => [from, to])).toEqual([["a", "c"]]);
    expect(of(events, "notice").map(({ message }) => message)).toEqual([
      `Puppet is skipped until ${resetsAt}: It is quota_exhausted.`,
    ]);
  });

  it("resets when the agent works again", async () => {
    const { a, session } = cast();
    a.onPrompt = (one) => one.say(...(one.prompts.length === 1 ? [fails("overloaded")] : [done]));
    const alone = await session({ fallback: [] });
    await turn(alone, "Do it.");
    await turn(alone, "Again.");
    expect((await session()).agent).toBe("a");
  });
});
