/** Checks the nine laws of the event stream. Each file in `laws/` states the part of its law that a list of events can show. */
import { files } from "./laws/files.ts";
import type { CreateLaw, LawNumber, LawOptions, Violation } from "./laws/law.ts";
import { messages } from "./laws/messages.ts";
import { requests } from "./laws/requests.ts";
import { resuming } from "./laws/resuming.ts";
import { sequence } from "./laws/sequence.ts";
import { tools } from "./laws/tools.ts";
import { turns } from "./laws/turns.ts";
import { usage } from "./laws/usage.ts";
import type { ReinsEvent } from "./types.ts";

export type { LawNumber, LawOptions, Violation } from "./laws/law.ts";
export { compareReplay } from "./laws/sequence.ts";

const laws: readonly (readonly [LawNumber, CreateLaw])[] = [
  [1, turns],
  [2, tools],
  [3, requests],
  [4, messages],
  [5, sequence],
  [7, resuming],
  [8, usage],
  [9, files],
];

/** Checks a stream of events against the laws, one event at a time. */
export interface LawChecker {
  /** Returns the violations of this event. */
  push(event: ReinsEvent): readonly Violation[];
  /** Call after the last event. Returns the violations that only the end shows, such as an open turn. */
  end(): readonly Violation[];
}

export function createLawChecker(options: LawOptions = {}): LawChecker {
  const found: Violation[] = [];
  let last = options.after ?? 0;
  const watching = laws.map(([law, create]) => create((seq, message) => found.push({ law, seq, message }), options));
  const take = (): readonly Violation[] => found.splice(0);
  return {
    push(event) {
      last = event.seq;
      for (const law of watching) law.push(event);
      return take();
    },
    end() {
      for (const law of watching) law.end?.(last);
      return take();
    },
  };
}

/** Checks a whole list of events. Returns all violations, or an empty list. */
export function checkLaws(events: readonly ReinsEvent[], options: LawOptions = {}): Violation[] {
  const checker = createLawChecker(options);
  return [...events.flatMap((event) => checker.push(event)), ...checker.end()];
}

/** Law 6: no input makes `translate` throw. A list of events cannot show this, so this function tries the inputs. */
export function neverThrows<Input>(translate: (input: Input) => unknown, inputs: Iterable<Input>): Violation[] {
  const violations: Violation[] = [];
  let seq = 0;
  for (const input of inputs) {
    seq++;
    try {
      translate(input);
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      violations.push({ law: 6, seq, message: `an input threw: ${why}` });
    }
  }
  return violations;
}
