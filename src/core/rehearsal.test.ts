import { expect, test, vi } from "vitest";
import { defaultLimits } from "../events/limits.ts";
import { createRedactor } from "../events/redact.ts";

test("it is done once, after the start, and harms nobody whatever the limits are", async () => {
  // In this process it may have been done by somebody else's test.
  vi.resetModules();
  const { rehearse } = await import("./rehearsal.ts");
  vi.useFakeTimers();
  const parts = { redact: createRedactor({}), limits: { ...defaultLimits, messageBytes: 1, promptBytes: 1 } };
  rehearse(parts);
  rehearse(parts);
  expect(vi.getTimerCount()).toBe(1);
  await vi.runAllTimersAsync();
  vi.useRealTimers();
});
