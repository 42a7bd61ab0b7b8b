import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import { Envelope } from "./envelope.ts";

test("stamps every event with the current time, whatever the clock does", () => {
  const steps = fc.oneof(
    fc.integer({ min: 0, max: 30 }),
    fc.integer({ min: -5000, max: 5000 }),
    fc.double({ min: 0, max: 2, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.array(steps, { maxLength: 20 }), (start, moves) => {
      let now = start;
      const envelope = new Envelope({
        sessionId: "s",
        redact: createRedactor({}),
        limits: defaultLimits,
        now: () => now,
      });
      const expected = [0, ...moves].map((move) => {
        now = Math.max(0, now + move);
        envelope.emit({ type: "turn.phase", phase: "model" });
        return new Date(now).toISOString();
      });
      expect(envelope.take().map(({ time }) => time)).toEqual(expected);
    }),
  );
});
