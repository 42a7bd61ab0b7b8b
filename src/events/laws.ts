/** The nine laws of the vocabulary as one checker. Each file in `laws/` says which part of its law a list of events can show. */
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

export interface LawChecker {
  /** Violations of this event. */
  push(event: ReinsEvent): readonly Violation[];
  /** Violations because nothing more comes. */
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

export function checkLaws(events: readonly ReinsEvent[], options: LawOptions = {}): Violation[] {
  const checker = createLawChecker(options);
  return [...events.flatMap((event) => checker.push(event)), ...checker.end()];
}

/** Law 6: no input, however broken, makes `translate` throw. Events cannot show that, so the inputs are tried. */
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
