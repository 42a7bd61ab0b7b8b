import { expect, it } from "vitest";
import { errorTable } from "../../events/errors.ts";
import type { ErrorCode } from "../../events/errors.ts";
import { isSlow } from "./slow-retries.ts";
import { defaultChoices } from "./survivable.ts";

const now = Date.parse("2026-11-15T20:00:00.000Z");
const error = (code: ErrorCode, resetsAt?: string) => ({ code, message: "x", retryable: true, resetsAt });

it.each(Object.keys(errorTable) as ErrorCode[])("%s is given up only where trying again is hopeless", (code) => {
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
