import { beforeEach, expect, it } from "vitest";
import { Breaker } from "./breaker.ts";
import type { Down } from "./breaker.ts";

let now: number;
const rows = new Map<string, Down>();
const breaker = new Breaker(rows, () => now);
const at = (ms: number) => new Date(now + ms).toISOString();

beforeEach(() => {
  now = Date.parse("2026-11-15T20:00:00.000Z");
  rows.clear();
});

it("remembers until the reset that was told", () => {
  breaker.failed("a", { code: "quota_exhausted", resetsAt: at(3_600_000) });
  expect(breaker.downOf("a")).toEqual({ until: now + 3_600_000, reason: "quota_exhausted" });
  expect(breaker.downOf("b")).toBeUndefined();
  now += 3_600_000;
  expect(breaker.downOf("a")).toBeUndefined();
  expect(rows.size).toBe(0);
});

it.each([
  ["quota_exhausted", 900_000],
  ["not_authenticated", 600_000],
  ["rate_limited", 60_000],
  ["overloaded", 60_000],
  ["agent_crashed", 60_000],
  ["agent_hung", 60_000],
  ["protocol_error", 60_000],
  ["timeout", 60_000],
  ["network", 30_000],
] as const)("without one it counts for a while: %s", (code, ms) => {
  breaker.failed("a", { code });
  expect(breaker.downOf("a")?.until).toBe(now + ms);
});

it.each(["refused", "model_unknown", "context_too_long", "cancelled", "internal", "invalid_input"] as const)(
  "%s says nothing about the next turn",
  (code) => {
    breaker.failed("a", { code, resetsAt: at(1000) });
    expect(breaker.downOf("a")).toBeUndefined();
  },
);

it.each(["no time", at0(-1000), at0(400 * 86_400_000)])("a reset at %s is no reset", (resetsAt) => {
  breaker.failed("a", { code: "rate_limited", resetsAt });
  expect(breaker.downOf("a")?.until).toBe(now + 60_000);
});

it("a clock that went backwards leaves nothing down for ever", () => {
  breaker.failed("a", { code: "overloaded" });
  now -= 30 * 86_400_000;
  expect(breaker.downOf("a")).toBeUndefined();
});

it("is forgotten when it works again", () => {
  breaker.failed("a", { code: "overloaded" });
  breaker.clear("a");
  expect(breaker.downOf("a")).toBeUndefined();
});

it("is one memory for all who share the rows", () => {
  breaker.failed("a", { code: "overloaded" });
  expect(new Breaker(rows, () => now).downOf("a")?.reason).toBe("overloaded");
});

function at0(ms: number): string {
  return new Date(Date.parse("2026-11-15T20:00:00.000Z") + ms).toISOString();
}
