/** Tokens and costs add up over turns and processes; an API key is in no event. */
import { expect, test } from "vitest";
import type { EventOf, ReinsEvent } from "../../../src/events/types.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

const usage = (events: readonly ReinsEvent[], scope: EventOf<"usage.updated">["scope"]) =>
  all(events, "usage.updated")
    .filter((event) => event.scope === scope)
    .at(-1);

test("adds up two turns, and a third in another process", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const first = await real.turn(session, scenarioPrompt("usage"));
  expect(first.result.usage).toMatchObject({ input: 1_000, output: 200, cacheRead: 5_000, cacheWrite: 300 });
  expect(usage(first.events, "turn")).toMatchObject({
    tokens: first.result.usage,
    costUsd: first.result.costUsd,
    costSource: "agent",
  });
  expect(first.result.costUsd).toBeGreaterThan(0);
  expect(usage(first.events, "turn")!.context).toMatchObject({ used: 6_500, size: expect.any(Number) });
  const second = await real.turn(session, scenarioPrompt("text"));
  expect(second.result.usage).toMatchObject({ input: 100, output: 20 });
  const total = usage(second.events, "session")!;
  expect(total.tokens).toMatchObject({ input: 1_100, output: 220, cacheRead: 5_000, cacheWrite: 300 });
  expect(total.costUsd).toBeCloseTo(first.result.costUsd! + second.result.costUsd!, 10);
  await session.close();
  const resumed = await real.session({ resume: second.result.state });
  const third = await real.turn(resumed, scenarioPrompt("text"));
  expect(third.result.usage).toMatchObject({ input: 100, output: 20 });
  expect(third.result.costUsd).toBeCloseTo(second.result.costUsd!, 10);
});

test("counts several requests of one turn, including tools and subagents", async () => {
  const real = await realAgent("claude");
  const { result } = await real.turn(await real.session({ mode: "full" }), scenarioPrompt("subagent-permission"));
  expect(result.usage).toMatchObject({ input: 400, output: 80 });
});

test("reports usage by model", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ model: "opus" });
  await real.turn(session, scenarioPrompt("text"));
  await session.configure({ model: "haiku" });
  const { events } = await real.turn(session, scenarioPrompt("text"));
  const { byModel } = usage(events, "session")!;
  const names = Object.keys(byModel!).map((name) => name.split("-")[1]);
  expect(new Set(names)).toEqual(new Set(["opus", "haiku"]));
});

test("keeps the key out of every event, wherever it occurs", async () => {
  const real = await realAgent("claude");
  const key = real.env["ANTHROPIC_API_KEY"]!;
  const session = await real.session({ mode: "full", raw: true });
  await real.turn(session, `${scenarioPrompt("echo", `The key is ${key}.`)} and again ${key}`);
  const { events } = await real.turn(session, scenarioPrompt("shell", `echo ${key}; env; cat /proc/self/environ`));
  expect(one(events, "tool.completed").output.text).toContain("PATH=");
  await real.turn(session, scenarioPrompt("write", `${key}.txt`));
  await real.turn(session, scenarioPrompt("shell", `echo ${key} >&2; exit 3`));
  await session.close();
  await real.when(session, "process.exited");
  const said = JSON.stringify(real.said(session));
  expect(said).not.toContain(key);
  expect(said).not.toContain(key.slice(8));
});
