import { describe, expect, test } from "vitest";
import { replay } from "../../../test/fixtures/claude/replay.ts";
import { Usage, limitResets, limitsUpdated } from "./usage.ts";

/** Usage of turns that all run. */
const counter = (resumed: boolean) => {
  const usage = new Usage(resumed);
  return { answered: usage.answered.bind(usage), turn: (result: object) => usage.turn({ ...result }, true) };
};

const model = (inputTokens: number, outputTokens: number, costUSD: number, more: object = {}) => ({
  inputTokens,
  outputTokens,
  costUSD,
  ...more,
});

describe("usage", () => {
  test("counts subagents in a turn, and adds turns to the session", () => {
    const events = replay("subagent").said.filter((event) => event.type === "usage.updated");
    expect(events.map((event) => [event.scope, event.tokens?.input, event.tokens?.output, event.costUsd])).toEqual([
      ["turn", 300, 60, 0.0024],
      ["session", 300, 60, 0.0024],
      ["turn", 200, 40, 0.0016],
      ["session", 500, 100, 0.004],
    ]);
  });

  test.each(["resume", "resume_bi", "resume_h2", "continue"])(
    "counts only this leg and no session total for %s",
    (name) => {
      const events = replay(name, { resumed: true }).said.filter((event) => event.type === "usage.updated");
      expect(events.map((event) => [event.scope, event.tokens?.input, event.costUsd])).toEqual([["turn", 100, 0.0008]]);
    },
  );

  test("reports input without cache, output with thinking, and each model separately", () => {
    const usage = counter(false);
    const turn = usage.turn({
      model_usage_since_last_result: {
        a: model(10, 20, 0.1, { cacheReadInputTokens: 5, cacheCreationInputTokens: 6, thinkingTokens: 7 }),
        b: model(1, 2, 0.2, { thinkingTokens: 900 }),
      },
    });
    expect(turn.tokens).toEqual({ input: 11, output: 22, cacheRead: 5, cacheWrite: 6, thought: 9 });
    expect(turn.costUsd).toBe(0.3);
    expect(turn.events[0]).toMatchObject({
      scope: "turn",
      costSource: "agent",
      byModel: { a: { input: 10, thought: 7 }, b: { output: 2, thought: 2 } },
    });
  });

  test("older versions: uses the conversation's tokens and the difference of two readings", () => {
    const usage = counter(false);
    const tokens = {
      input_tokens: 1,
      output_tokens: 2,
      cache_read_input_tokens: 3,
      output_tokens_details: { thinking_tokens: 1 },
    };
    expect(usage.turn({ usage: tokens, total_cost_usd: 0.1 })).toMatchObject({
      tokens: { input: 1, output: 2, cacheRead: 3, thought: 1 },
      costUsd: 0.1,
    });
    expect(usage.turn({ usage: tokens, total_cost_usd: 0.3 }).costUsd).toBe(0.2);
    // After /clear it counts from zero again.
    const cleared = usage.turn({ usage: tokens, total_cost_usd: 0.05 });
    expect(cleared.costUsd).toBe(0.05);
    expect(cleared.events[1]).toMatchObject({ scope: "session", tokens: { input: 3, output: 6 }, costUsd: 0.35 });
  });

  test("older versions: reports no cost without a reading to compare with", () => {
    const usage = counter(true);
    const tokens = { input_tokens: 1, output_tokens: 2 };
    const first = usage.turn({ usage: tokens, total_cost_usd: 0.5 });
    expect(first.costUsd).toBeUndefined();
    expect(first.events).toHaveLength(1);
    expect(first.events[0]).not.toMatchObject({ costSource: "agent" });
    expect(usage.turn({ usage: tokens, total_cost_usd: 0.7 }).costUsd).toBe(0.2);
  });

  test("does not report zero usage for a turn without a report", () => {
    expect(counter(false).turn({ usage: {}, total_cost_usd: 0, model_usage_since_last_result: {} })).toEqual({
      tokens: undefined,
      costUsd: undefined,
      events: [],
    });
    expect(counter(false).turn({}).events).toEqual([]);
  });

  test("adds a result that ends no turn to the session only", () => {
    const used = { model_usage_since_last_result: { a: model(1, 1, 0.5) } };
    expect(new Usage(false).turn(used, false).events).toMatchObject([{ scope: "session", costUsd: 0.5 }]);
    expect(new Usage(true).turn(used, false).events).toEqual([]);
  });

  test("measures the context by the last answer of the conversation, in its model's window", () => {
    const usage = counter(false);
    const used = { model_usage_since_last_result: { a: model(1, 1, 0) } };
    expect(usage.turn(used).events[0]).toMatchObject({ context: undefined });
    usage.answered({ input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 100 }, "a");
    usage.answered({}, "b");
    expect(
      usage.turn({ ...used, modelUsage: { b: { contextWindow: 5 }, a: { contextWindow: 200 } } }).events[0],
    ).toMatchObject({ context: { used: 111, size: 200 } });
    usage.answered({ input_tokens: 20 }, undefined);
    expect(usage.turn({ ...used, modelUsage: { c: { contextWindow: 5 } } }).events[0]).toMatchObject({
      context: { used: 20, size: 5 },
    });
    expect(usage.turn({ ...used, modelUsage: {} }).events[0]).toMatchObject({ context: { used: 20 } });
  });
});

describe("limits", () => {
  test("reports each window and ignores the status at the top", () => {
    const info = {
      status: "allowed",
      rateLimitType: "five_hour",
      unifiedWindows: { five_hour: { utilization: 0.93456, resetsAt: 1794772877, status: "allowed_warning" }, odd: 1 },
    };
    expect(limitsUpdated(info)).toEqual([
      {
        type: "limit.updated",
        window: "five_hour",
        usedPercent: 93.46,
        resetsAt: "2026-11-15T20:01:17.000Z",
        status: "warning",
      },
    ]);
  });

  test("reports one limit without windows", () => {
    expect(limitsUpdated({ status: "rejected", rateLimitType: "seven_day" })).toMatchObject([
      { window: "seven_day", status: "reached" },
    ]);
    expect(limitsUpdated({ status: "allowed" })).toMatchObject([{ window: "plan", status: "ok" }]);
    expect(limitsUpdated({})).toEqual([]);
    expect(limitsUpdated(undefined)).toEqual([]);
  });

  test("reports the reset time only when the limit is reached and the date is valid", () => {
    expect(limitResets({ status: "rejected", resetsAt: 1794772878 })).toBe("2026-11-15T20:01:18.000Z");
    expect(limitResets({ status: "allowed", resetsAt: 1794772878 })).toBeUndefined();
    expect(limitResets({ status: "rejected", resetsAt: 1e300 })).toBeUndefined();
  });
});
