import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AgentEvent, AgentEventOf, ReinsEvent, Tokens } from "../../events/types.ts";
import { amountOf, budgetOver, nothingSpent, type Budget, type Spent } from "./budget.ts";
import { SpendTracker } from "./spend-tracker.ts";
import { MemoryDays } from "./spend-history.ts";

const clock = { now: 0, today: "2026-11-16" };
const said: string[] = [];
const over: string[] = [];
beforeEach(() => {
  Object.assign(clock, { now: 0, today: "2026-11-16" });
  said.length = over.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

interface More {
  readonly before?: Spent;
  readonly fresh?: boolean;
  readonly days?: MemoryDays;
}
function spending(
  budget: Budget,
  { before = nothingSpent, fresh = true, days = new MemoryDays() }: More = {},
): SpendTracker {
  return new SpendTracker({
    budget,
    days,
    before,
    fresh,
    warn: (message) => said.push(message),
    over: ({ message }) => over.push(message),
    now: () => clock.now,
    today: () => clock.today,
  });
}
/** Like the session: prices the event, records it, checks the budget. */
function took(watch: SpendTracker, event: AgentEvent): AgentEvent {
  const priced = event.type === "usage.updated" ? watch.priced(event) : event;
  watch.follow(priced as ReinsEvent);
  watch.check();
  return priced;
}
function end(watch: SpendTracker, ending: { usage?: Tokens; costUsd?: number } = {}) {
  const priced = watch.pricedEnding(ending);
  watch.follow({ type: "turn.completed", ...priced } as ReinsEvent);
  return priced;
}
function start(watch: SpendTracker, model = "m") {
  const refused = watch.start(model);
  if (refused === undefined) watch.check();
  return refused;
}
const used = (
  tokens: Tokens | undefined,
  more: Partial<AgentEventOf<"usage.updated">> = {},
): AgentEventOf<"usage.updated"> => ({ type: "usage.updated", scope: "turn", tokens, ...more });

describe("tokens", () => {
  test("warns once at 80 % and ends the turn at the limit", () => {
    const watch = spending({ turn: { tokens: 100 } });
    expect(start(watch, "m")).toBeUndefined();
    took(watch, used({ input: 50, output: 29 }));
    expect(said).toEqual([]);
    took(watch, used({ input: 50, output: 20, cacheRead: 5, cacheWrite: 5 }));
    took(watch, used({ input: 50, output: 40, thought: 30 }));
    expect(said).toEqual(["The budget is nearly spent: 80 of 100 tokens for this turn."]);
    expect(over).toEqual([]);
    took(watch, used({ input: 50, output: 50 }));
    expect(over).toEqual(["The budget is spent: 100 of 100 tokens for this turn."]);
  });

  test("counts subagents as part of the turn, and session totals from the start of the turn", () => {
    const watch = spending({ turn: { tokens: 100 } });
    start(watch, "m");
    took(watch, used({ input: 500, output: 0 }, { parent: "call" }));
    took(watch, used({ input: 60, output: 0 }, { scope: "session" }));
    end(watch);
    start(watch, "m");
    took(watch, used({ input: 120, output: 0 }, { scope: "session" }));
    expect(over).toEqual([]);
    took(watch, used({ input: 160, output: 0 }, { scope: "session" }));
    expect(over).toHaveLength(1);
  });

  test("does not charge an earlier conversation to this turn", () => {
    const watch = spending({ turn: { tokens: 100 } }, { fresh: false });
    start(watch, "m");
    took(watch, used({ input: 5000, output: 0 }, { scope: "session" }));
    expect(over).toEqual([]);
  });

  test("adds up the session, including an earlier process", () => {
    const watch = spending({ session: { tokens: 100 } }, { before: { ...nothingSpent, tokens: 30 } });
    expect(start(watch, "m")).toBeUndefined();
    end(watch, { usage: { input: 60, output: 0 } });
    expect(start(watch, "m")).toBeUndefined();
    expect(said).toEqual(["The budget is nearly spent: 90 of 100 tokens for this session."]);
    end(watch, { usage: { input: 10, output: 0 } });
    expect(start(watch, "m")).toMatchObject({
      code: "budget_exceeded",
      message: expect.stringContaining("100 of 100"),
    });
  });
});

describe("dollars", () => {
  test("uses the agent's own cost", () => {
    const watch = spending({ turn: { usd: 1 } });
    start(watch, "gpt-5.5");
    const event = used({ input: 1_000_000, output: 0 }, { costUsd: 0.5, costSource: "agent" });
    expect(took(watch, event)).toBe(event);
    expect(over).toEqual([]);
    expect(end(watch, { usage: { input: 1, output: 0 }, costUsd: 0.6 })).not.toHaveProperty("costSource");
  });

  test("calculates the cost from prices and says so", () => {
    const watch = spending({ turn: { usd: 1 } });
    start(watch, "some-other");
    took(watch, { type: "session.started", mode: "ask", cwd: "/", resumed: false, model: "gpt-5.5" });
    expect(took(watch, used({ input: 100_000, output: 0 }))).toMatchObject({ costUsd: 0.5, costSource: "prices" });
    const byModel = { "gpt-5.5": { input: 100_000, output: 0 }, "gpt-6-luna": { input: 1_000_000, output: 0 } };
    expect(took(watch, used({ input: 1_100_000, output: 0 }, { byModel }))).toMatchObject({ costUsd: 0.6 });
    expect(end(watch, { usage: { input: 200_000, output: 0 } })).toMatchObject({ costUsd: 1, costSource: "prices" });
  });

  test("does not price a new agent by the previous model", () => {
    const watch = spending({ turn: { usd: 1 } });
    start(watch, "gpt-5.5");
    expect(took(watch, used({ input: 100_000, output: 0 }))).toMatchObject({ costUsd: 0.5 });
    watch.switchedTo(undefined);
    expect(took(watch, used({ input: 10, output: 0 }))).not.toHaveProperty("costUsd");
    watch.switchedTo("gpt-6-luna");
    expect(took(watch, used({ input: 1_000_000, output: 0 }))).toMatchObject({ costUsd: 0.1 });
    end(watch);
  });

  test("never lets the cost decrease, and reports an unknown price once", () => {
    const watch = spending({ session: { usd: 1 } });
    start(watch, "gpt-5.5");
    took(watch, used({ input: 100_000, output: 0 }));
    took(watch, { type: "session.updated", by: "agent", model: "gpt-6-luna" });
    expect(took(watch, used({ input: 110_000, output: 0 }))).toMatchObject({ costUsd: 0.5 });
    end(watch);
    took(watch, { type: "session.updated", by: "agent", model: "unheard-of" });
    for (let turn = 0; turn < 2; turn++) {
      start(watch, "x");
      expect(end(watch, { usage: { input: 9, output: 0 } })).not.toHaveProperty("costUsd");
    }
    expect(said).toEqual(["The price of unheard-of is unknown, so the budget in US dollars cannot be enforced."]);
  });
});

describe("time", () => {
  const pass = (seconds: number): void => {
    clock.now += seconds * 1000;
    vi.advanceTimersByTime(seconds * 1000 + 2);
  };

  test("ends a silent turn", () => {
    const watch = spending({ turn: { seconds: 10 } });
    start(watch, "m");
    pass(8);
    expect(said).toEqual(["The budget is nearly spent: 8 of 10 seconds for this turn."]);
    expect(over).toEqual([]);
    pass(2.1);
    expect(over).toHaveLength(1);
  });

  test("enforces a limit that passes during a check", () => {
    const watch = spending({ turn: { seconds: 10 } });
    start(watch);
    clock.now = 9_999;
    // The warning callback takes a moment.
    vi.spyOn(said, "push").mockImplementationOnce(() => (clock.now = 10_001));
    watch.check();
    expect(over).toEqual([]);
    vi.advanceTimersByTime(10);
    expect(over).toEqual(["The budget is spent: 10 of 10 seconds for this turn."]);
  });

  test("does not count time between turns and adds up several turns", () => {
    const watch = spending({ session: { seconds: 10 } });
    start(watch, "m");
    pass(6);
    end(watch);
    pass(100);
    expect(start(watch, "m")).toBeUndefined();
    pass(4.1);
    expect(over).toEqual(["The budget is spent: 10.1 of 10 seconds for this session."]);
  });
});

describe("a day", () => {
  test("is shared by all sessions and starts again the next day", () => {
    const days = new MemoryDays();
    const budget: Budget = { day: { turns: 2 } };
    const [one, two] = [spending(budget, { days }), spending(budget, { days })];
    for (const session of [one, two]) {
      expect(start(session, "m")).toBeUndefined();
      end(session);
    }
    expect(start(one, "m")).toMatchObject({ message: "The budget is spent: 2 of 2 turns today." });
    clock.today = "2026-11-17";
    expect(start(one, "m")).toBeUndefined();
  });

  test("stays reached when the clock is set back, also in a new process", () => {
    const days = new MemoryDays();
    const budget: Budget = { day: { turns: 1 } };
    const one = spending(budget, { days });
    start(one, "m");
    end(one);
    clock.today = "2026-11-14";
    expect(start(one, "m")).toMatchObject({ code: "budget_exceeded" });
    expect(start(spending(budget, { days }))).toMatchObject({ code: "budget_exceeded" });
  });

  test("is known before the store has written it", () => {
    const late = { since: () => nothingSpent, add: () => undefined } as unknown as MemoryDays;
    const watch = spending({ day: { tokens: 100 } }, { days: late });
    start(watch, "m");
    end(watch, { usage: { input: 100, output: 0 } });
    expect(start(watch, "m")).toMatchObject({ message: "The budget is spent: 100 of 100 tokens today." });
  });
});

test("prefers the caller's figures over the configured ones, one by one", () => {
  expect(budgetOver({ day: { usd: 1, turns: 3 } }, { day: { usd: 9 }, turn: { tokens: 5 } })).toEqual({
    turn: { tokens: 5 },
    day: { usd: 9, turns: 3 },
  });
  expect(budgetOver(undefined, undefined)).toBeUndefined();
});

test("formats amounts for people", () => {
  expect(amountOf({ scope: "day", name: "usd", limit: 20, spent: 16.04567 })).toBe("16 of 20 US dollars today");
  expect(amountOf({ scope: "session", name: "tokens", limit: 50_000, spent: 41_000 })).toBe(
    "41,000 of 50,000 tokens for this session",
  );
});
