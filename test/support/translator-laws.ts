/** What a translator keeps whatever the wire brings: it takes anything, says only what is in the vocabulary, and readers see lawful events. */
import { expect, test } from "vitest";
import { agentEventSchema } from "../../src/events/schema/index.ts";
import type { AgentEvent, ReinsEvent } from "../../src/events/types.ts";
import { damaged, damageWithin, type Lines } from "./damage.ts";
import { fc } from "./fast-check.ts";
import { expectLawful } from "./lawful.ts";

export interface TranslatorUnderTest<Capture extends Lines> {
  /** All that a new translator says of these messages, up to its end. */
  readonly translate: (messages: readonly unknown[]) => readonly AgentEvent[];
  /** A message made of the words of its wire. */
  readonly wire: fc.Arbitrary<unknown>;
  readonly wireRuns: number;
  /** Recorded conversations by name, and how one is played. */
  readonly captures: ReadonlyMap<string, Capture>;
  readonly replay: (capture: Capture) => { said: readonly AgentEvent[]; seen: readonly ReinsEvent[] };
  /** How far into a recording it is damaged, and cut. */
  readonly reach: { readonly damage: number; readonly cut: number };
}

/** The catch-all of a translator is for what no JSON can be; a message that gets there is a defect. */
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

  test("any JSON at all is taken", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 20 }), (messages) => expectSound(under.translate(messages))),
      { numRuns: 300 },
    );
  });

  test("any message made of the words of the wire is taken", () => {
    fc.assert(
      fc.property(fc.array(under.wire, { maxLength: 10 }), (messages) => expectSound(under.translate(messages))),
      { numRuns: under.wireRuns },
    );
  });

  test("a recording with lines lost, doubled, swapped or damaged is still lawful", () => {
    fc.assert(
      fc.property(telling, damageWithin(under.reach.damage), (name, how) =>
        expectLawfulReplay(damaged(under.captures.get(name)!, how)),
      ),
      { numRuns: 150 },
    );
  });

  test("a recording that is cut anywhere is still lawful", () => {
    fc.assert(
      fc.property(telling, fc.nat(under.reach.cut), (name, at) => {
        const capture = under.captures.get(name)!;
        expectLawfulReplay({ ...capture, lines: capture.lines.slice(0, at) });
      }),
      { numRuns: 100 },
    );
  });
}
