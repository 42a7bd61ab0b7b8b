import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { recordedEvents } from "../../../test/fixtures/opencode/read.ts";
import { replay } from "../../../test/fixtures/opencode/replay.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { agentEventSchema } from "../../events/schema/index.ts";

const recorded: readonly unknown[] = recordedEvents();

test("never throws and emits only valid events for any input", () => {
  const types = [...new Set(recordedEvents().map(({ type }) => type)), "something.new"];
  const event = fc.oneof(
    fc.anything(),
    fc.record({
      type: fc.constantFrom(...types),
      properties: fc.oneof(
        fc.anything(),
        fc.dictionary(fc.constantFrom("sessionID", "info", "part", "status", "error", "todos"), fc.anything()),
      ),
    }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const { said, seen } = replay(events);
      for (const one of said) expect(agentEventSchema.safeParse(one).success).toBe(true);
      expectLawful(seen);
    }),
  );
});

test("breaks no law for a recording with events lost, doubled or swapped", () => {
  const places = fc.array(fc.tuple(fc.nat(recorded.length - 2), fc.constantFrom("lose", "double", "swap")), {
    maxLength: 25,
  });
  fc.assert(
    fc.property(places, (changes) => {
      const events = [...recorded];
      for (const [at, what] of changes) {
        if (what === "lose") events.splice(at, 1, {});
        else if (what === "double") events.splice(at, 0, events[at]);
        else [events[at], events[at + 1]] = [events[at + 1], events[at]];
      }
      expectLawful(replay(events).seen);
    }),
    { numRuns: 30 },
  );
});
