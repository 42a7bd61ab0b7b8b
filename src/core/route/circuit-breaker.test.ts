import { beforeEach, expect, it } from "vitest";
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import { CircuitBreaker, createMemoryBreakers } from "./circuit-breaker.ts";

let now: number;
let rows: ReturnType<typeof createMemoryBreakers>;
let breaker: CircuitBreaker;
const error = (code: ErrorCode, resetsAt?: string): ErrorInfo => ({
  code,
  message: "It is.",
  retryable: true,
  resetsAt,
});
const at = (ms: number) => new Date(now + ms).toISOString();

beforeEach(() => {
  now = Date.parse("2026-11-15T20:00:00.000Z");
  rows = createMemoryBreakers();
  breaker = new CircuitBreaker(rows, () => now);
});

it("remembers until the reported reset", () => {
  breaker.failed("a", error("quota_exhausted", at(3_600_000)));
  expect(breaker.downOf("a")).toEqual({
    key: "a",
    until: now + 3_600_000,
    code: "quota_exhausted",
    reason: "It is.",
  });
  expect(breaker.downOf("b")).toBeUndefined();
  now += 3_600_000;
  expect(breaker.downOf("a")).toBeUndefined();
  expect(rows.list(now)).toEqual([]);
});

it("does not shorten a reported reset by an estimate", () => {
  breaker.failed("a", error("quota_exhausted", at(3_600_000)));
  breaker.failed("a", error("network"));
  expect(breaker.downOf("a")).toMatchObject({ until: now + 3_600_000, code: "quota_exhausted" });
  breaker.failed("a", error("quota_exhausted", at(60_000)));
  expect(breaker.downOf("a")).toMatchObject({ until: now + 60_000 });
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
] as const)("applies a default time without a reset: %s", (code, ms) => {
  breaker.failed("a", error(code));
  expect(breaker.downOf("a")?.until).toBe(now + ms);
});

it.each(["refused", "model_unknown", "context_too_long", "cancelled", "internal", "invalid_input"] as const)(
  "%s says nothing about the next turn",
  (code) => {
    breaker.failed("a", error(code, at(1000)));
    expect(breaker.downOf("a")).toBeUndefined();
  },
);

it.each(["no time", at0(-1000), at0(400 * 86_400_000)])("ignores a reset at %s", (resetsAt) => {
  breaker.failed("a", error("rate_limited", resetsAt));
  expect(breaker.downOf("a")?.until).toBe(now + 60_000);
});

it("keeps nothing forever when the clock goes backwards", () => {
  breaker.failed("a", error("overloaded"));
  now -= 30 * 86_400_000;
  expect(breaker.downOf("a")).toBeUndefined();
});

it("is cleared by a success", () => {
  breaker.failed("a", error("overloaded"));
  breaker.clear("a");
  expect(breaker.downOf("a")).toBeUndefined();
});

it("clears a refused key after a sign-in, but no limit", () => {
  breaker.failed("a", error("not_authenticated"));
  breaker.failed("b", error("quota_exhausted"));
  for (const agent of ["a", "b"]) breaker.signedIn(agent);
  expect(breaker.downOf("a")).toBeUndefined();
  expect(breaker.downOf("b")).toBeDefined();
});

it("is shared through the rows", () => {
  breaker.failed("a", error("overloaded"));
  expect(new CircuitBreaker(rows, () => now).downOf("a")?.code).toBe("overloaded");
});

function at0(ms: number): string {
  return new Date(Date.parse("2026-11-15T20:00:00.000Z") + ms).toISOString();
}
