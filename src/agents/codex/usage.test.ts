import { expect, test } from "vitest";
import { Limits, Usage } from "./usage.ts";

const tokens = (inputTokens: number, outputTokens: number, cachedInputTokens = 0) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens,
  cacheWriteInputTokens: 0,
  reasoningOutputTokens: 5,
  totalTokens: inputTokens + outputTokens,
});
const reading = (total: object, last: object) => ({ total, last, modelContextWindow: 1000 });

test("measures a turn by the growth of the totals, including those of subagents", () => {
  const usage = new Usage(true);
  usage.read("main", reading(tokens(100, 20, 40), tokens(100, 20, 40)), true);
  usage.read("main", reading(tokens(300, 40, 140), tokens(200, 20, 100)), true);
  usage.read("sub", reading(tokens(50, 10), tokens(50, 10)), true);
  const first = usage.turnEnded();
  expect(first.tokens).toEqual({ input: 210, output: 50, cacheRead: 140, cacheWrite: 0, thought: 10 });
  expect(first.events).toMatchObject([
    { scope: "turn", context: { used: 220, size: 1000 } },
    { scope: "session", tokens: { input: 210, output: 50 } },
  ]);
  usage.read("main", reading(tokens(400, 60, 140), tokens(100, 20)), true);
  expect(usage.turnEnded().events).toMatchObject([
    { scope: "turn", tokens: { input: 100, output: 20 } },
    { scope: "session", tokens: { input: 310, output: 70 } },
  ]);
  expect(usage.turnEnded()).toEqual({ tokens: undefined, events: [] });
});

test("knows the usage of a turn but not of a session that began elsewhere", () => {
  const told = new Usage(false);
  told.read("main", reading(tokens(500, 50), tokens(100, 10)), false);
  told.read("main", reading(tokens(600, 70), tokens(100, 20)), true);
  expect(told.turnEnded().events).toMatchObject([{ scope: "turn", tokens: { input: 100, output: 20 } }]);
  const untold = new Usage(false);
  untold.read("main", reading(tokens(600, 70), tokens(100, 20)), true);
  expect(untold.turnEnded().tokens).toMatchObject({ input: 100, output: 20 });
});

const at = 1_800_000_000;
const windows = (usedPercent: number, more: object = {}) => ({
  primary: { usedPercent, windowDurationMins: 300, resetsAt: at },
  secondary: null,
  ...more,
});

test.for([
  [20, "ok"],
  [80, "warning"],
  [100, "reached"],
] as const)("maps %s percent used to %s", ([used, status]) => {
  const limits = new Limits();
  expect(limits.updated(windows(used))).toEqual([
    { type: "limit.updated", window: "five_hour", usedPercent: used, resetsAt: "2027-01-15T08:00:00.000Z", status },
  ]);
  expect(limits.resetsAt === undefined).toBe(status !== "reached");
  expect(limits.updated(windows(used))).toEqual([]);
  limits.turnEnded();
  expect(limits.resetsAt).toBeUndefined();
});

test("names the windows, and reports nothing without one", () => {
  const limits = new Limits();
  const window = (windowDurationMins: number | null) => ({ usedPercent: 1, windowDurationMins, resetsAt: null });
  expect(limits.updated({ primary: window(10_080), secondary: window(60) })).toMatchObject([
    { window: "seven_day" },
    { window: "60_minutes" },
  ]);
  expect(limits.updated({ primary: null, secondary: window(null) })).toMatchObject([{ window: "plan" }]);
  expect(limits.updated(undefined)).toEqual([]);
});
