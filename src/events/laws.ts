/**
 * The nine laws of the vocabulary as one checker, for the tests of every agent and for anybody who writes events.
 * Each file in `laws/` says what of its law can be seen in a list of events, and what cannot.
 */
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
export { neverThrows } from "./laws/translation.ts";

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
  /** What this event violates. */
  push(event: ReinsEvent): readonly Violation[];
  /** What is violated because nothing more comes. */
  end(): readonly Violation[];
}

export function createLawChecker(options: LawOptions = {}): LawChecker {
  let found: Violation[] = [];
  let last = options.after ?? 0;
  const watching = laws.map(([law, create]) => create((seq, message) => found.push({ law, seq, message }), options));
  const take = (): readonly Violation[] => {
    const taken = found;
    found = [];
    return taken;
  };
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
