import { describe, expect, it } from "vitest";
import { errorCodes, errorTable, type ErrorCode } from "../../events/errors.ts";
import { defaultChoices, failureAction, failureActions, isSlow, type Action, type Failed } from "./failure-actions.ts";

const now = Date.parse("2026-11-15T20:00:00.000Z");
const soon = "2026-11-15T20:00:30.000Z";
const far = "2026-11-15T22:00:00.000Z";
const failed = (code: ErrorCode, more: Partial<Failed> = {}): Failed => ({
  code,
  sideEffect: false,
  denied: false,
  waited: false,
  ...more,
});

const moves: Record<ErrorCode, readonly [before: Action, after: Action]> = {
  not_installed: ["move", "move"],
  not_authenticated: ["move", "move"],
  version_unsupported: ["move", "move"],
  model_unknown: ["move", "move"],
  rate_limited: ["wait", "wait"],
  quota_exhausted: ["wait", "wait"],
  overloaded: ["wait", "wait"],
  context_too_long: ["move", "move"],
  refused: ["stop", "stop"],
  budget_exceeded: ["stop", "stop"],
  agent_crashed: ["move", "move"],
  agent_error: ["move", "move"],
  agent_hung: ["move", "move"],
  protocol_error: ["move", "move"],
  network: ["move", "move"],
  permission_denied: ["stop", "stop"],
  session_not_found: ["stop", "move"],
  session_busy: ["stop", "stop"],
  invalid_input: ["stop", "stop"],
  cancelled: ["stop", "stop"],
  timeout: ["move", "move"],
  unsupported: ["stop", "stop"],
  internal: ["stop", "stop"],
};

const cells = errorCodes.flatMap((code) =>
  (["before", "after"] as const).map((when, column) => [code, when, moves[code][column]!] as const),
);

describe.each(cells)("%s, %s a side effect: %s", (code, when, fate) => {
  const sideEffect = when === "after";

  it("matches the table", () => expect(failureActions[code][when]).toBe(fate));

  it("with a near reset", () => {
    const verdict = failureAction(failed(code, { sideEffect, resetsAt: soon }), defaultChoices, now);
    expect(verdict).toEqual(fate === "wait" ? { do: "wait", until: Date.parse(soon) } : { do: fate });
  });

  it.each([undefined, far, "no time"])("with a reset at %s", (resetsAt) => {
    const verdict = failureAction(failed(code, { sideEffect, resetsAt }), defaultChoices, now);
    expect(verdict).toEqual({ do: fate === "wait" ? "move" : fate });
  });

  it("with a route that stops after side effects", () => {
    const verdict = failureAction(failed(code, { sideEffect }), { ...defaultChoices, afterSideEffects: "stop" }, now);
    expect(verdict.do).toBe(fate === "stop" || sideEffect ? "stop" : "move");
  });

  it("stops right after a denial", () => {
    expect(failureAction(failed(code, { sideEffect, denied: true, resetsAt: soon }), defaultChoices, now).do).toBe(
      "stop",
    );
  });
});

it("waits for an agent once per turn", () => {
  const again = failed("rate_limited", { resetsAt: soon, waited: true });
  expect(failureAction(again, defaultChoices, now)).toEqual({ do: "move" });
});

it.each([
  [0, "move"],
  [29_999, "move"],
  [30_000, "wait"],
  [Infinity, "wait"],
])("with a patience of %d ms and a reset in 30 seconds: %s", (patience, does) => {
  expect(failureAction(failed("quota_exhausted", { resetsAt: soon }), { ...defaultChoices, patience }, now).do).toBe(
    does,
  );
});

it("retries at once when the reset has passed", () => {
  const over = new Date(now - 5000).toISOString();
  expect(failureAction(failed("overloaded", { resetsAt: over }), defaultChoices, now)).toEqual({
    do: "wait",
    until: now - 5000,
  });
});

const error = (code: ErrorCode, resetsAt?: string) => ({ code, message: "x", retryable: true, resetsAt });

it.each(Object.keys(errorTable) as ErrorCode[])("gives up on %s only when a retry is hopeless", (code) => {
  expect(isSlow({ error: error(code), delayMs: 500 }, defaultChoices, now)).toBe(
    code === "not_authenticated" || code === "model_unknown",
  );
});

it.each([
  ["2026-11-15T20:00:30.000Z", undefined, false],
  ["2026-11-15T20:02:00.000Z", undefined, true],
  [undefined, 60_000, false],
  [undefined, 60_001, true],
])("with a reset at %s and a delay of %s: %s", (resetsAt, delayMs, slow) => {
  expect(isSlow({ error: error("rate_limited", resetsAt), delayMs }, defaultChoices, now)).toBe(slow);
});
