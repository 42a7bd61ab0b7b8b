import { expect } from "vitest";
import { checkLaws } from "../../src/events/laws.ts";
import { reinsEventSchema } from "../../src/events/schema/index.ts";
import type { ReinsEvent } from "../../src/events/types.ts";

/** Fails when an event is not in the vocabulary or the events break a law. */
export function expectLawful(events: readonly ReinsEvent[], options?: Parameters<typeof checkLaws>[1]): void {
  for (const event of events) {
    const parsed = reinsEventSchema.safeParse(event);
    if (!parsed.success)
      expect.fail(`${event.type} is not in the vocabulary: ${parsed.error.message}\n${JSON.stringify(event)}`);
  }
  const violations = checkLaws(events, options);
  if (violations.length === 0) return;
  // A race may be seen only once, so print the events around it.
  const around = violations.flatMap(({ seq }) => events.filter((event) => Math.abs(event.seq - seq) <= 12));
  expect.fail(
    [...violations.map((one) => `${one.seq}: law ${one.law}: ${one.message}`), ...around.map(inShort)].join("\n"),
  );
}

const inShort = (event: ReinsEvent): string => JSON.stringify(event).slice(0, 400);
