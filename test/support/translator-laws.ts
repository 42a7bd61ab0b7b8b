/** The laws of a translator for any input: it accepts everything, emits only events of the vocabulary, and readers see lawful events. */
import { expect, test } from "vitest";
import { agentEventSchema } from "../../src/events/schema/index.ts";
import type { AgentEvent, ReinsEvent } from "../../src/events/types.ts";
import { damaged, damageWithin, type Lines } from "./damage.ts";
import { fc } from "./fast-check.ts";
import { expectLawful } from "./lawful.ts";

export interface TranslatorUnderTest<Capture extends Lines> {
  /** All events a new translator makes of these messages, including its end. */
  readonly translate: (messages: readonly unknown[]) => readonly AgentEvent[];
  /** Generates a message from the vocabulary of its wire. */
  readonly wire: fc.Arbitrary<unknown>;
  readonly wireRuns: number;
  /** Recorded conversations by name, and how to replay one. */
  readonly captures: ReadonlyMap<string, Capture>;
  readonly replay: (capture: Capture) => { said: readonly AgentEvent[]; seen: readonly ReinsEvent[] };
  /** How far into a recording it is damaged, and cut. */
  readonly reach: { readonly damage: number; readonly cut: number };
}

/** The catch-all of a translator is only for values that cannot occur in JSON; a message that reaches it is a defect. */
export function expectSound(events: readonly AgentEvent[]): void {
  for (const event of events) {
    if (event.type === "notice" && event.message.includes("could not be read")) expect.fail(event.message);
    const parsed = agentEventSchema.safeParse(event);
    if (!parsed.success) expect.fail(`${JSON.stringify(event)} is not in the vocabulary: ${parsed.error.message}`);
  }
}

export function testTranslatorLaws<Capture extends Lines>(under: TranslatorUnderTest<Capture>): void {
  const telling = fc.constantFrom(...under.captures.keys());
  const expectLawfulReplay = (capture: Capture) => {
    const { said, seen } = under.replay(capture);
    expectSound(said);
    expectLawful(seen);
  };

  test("accepts any JSON", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 20 }), (messages) => expectSound(under.translate(messages))),
      { numRuns: 300 },
    );
  });

  test("accepts any message made of the wire's vocabulary", () => {
    fc.assert(
      fc.property(fc.array(under.wire, { maxLength: 10 }), (messages) => expectSound(under.translate(messages))),
      { numRuns: under.wireRuns },
    );
  });

  test("stays lawful for a recording with lines lost, doubled, swapped or damaged", () => {
    fc.assert(
      fc.property(telling, damageWithin(under.reach.damage), (name, how) =>
        expectLawfulReplay(damaged(under.captures.get(name)!, how)),
      ),
      { numRuns: 150 },
    );
  });

  test("stays lawful for a recording that is cut anywhere", () => {
    fc.assert(
      fc.property(telling, fc.nat(under.reach.cut), (name, at) => {
        const capture = under.captures.get(name)!;
        expectLawfulReplay({ ...capture, lines: capture.lines.slice(0, at) });
      }),
      { numRuns: 100 },
    );
  });
}
