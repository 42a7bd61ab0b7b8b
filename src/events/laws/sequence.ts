import type { ReinsEvent } from "../types.ts";
import type { CreateLaw, Violation } from "./law.ts";

const isoWithMilliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Law 5, first half: the events belong to one session and are numbered without gaps. */
export const sequence: CreateLaw = (report, options) => {
  let expected = (options.after ?? 0) + 1;
  let sessionId: string | undefined;
  return {
    push(event) {
      if (event.seq !== expected) report(event.seq, `seq is ${event.seq} and not ${expected}`);
      expected = event.seq + 1;
      sessionId ??= event.sessionId;
      if (event.sessionId !== sessionId)
        report(event.seq, `an event of session ${event.sessionId} stands in ${sessionId}`);
      if (!isoWithMilliseconds.test(event.time))
        report(event.seq, `time is not ISO 8601 with milliseconds: ${event.time}`);
    },
  };
};

/** Law 5, second half: a store returns the events that readers saw, except `raw`. */
export function compareReplay(shown: readonly ReinsEvent[], replayed: readonly ReinsEvent[]): Violation[] {
  const violations: Violation[] = [];
  for (let index = 0; index < Math.max(shown.length, replayed.length); index++) {
    const [was, is] = [shown[index], replayed[index]];
    const seq = was?.seq ?? is?.seq ?? 0;
    if (was === undefined) violations.push({ law: 5, seq, message: "the replay has an extra event" });
    else if (is === undefined) violations.push({ law: 5, seq, message: "the replay lacks an event" });
    else if (!same({ ...was, raw: undefined }, { ...is, raw: undefined })) {
      violations.push({ law: 5, seq, message: "the replay has another event here" });
    }
  }
  return violations;
}

/** Equal as JSON: an undefined field counts as missing. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => same(left[key], right[key]));
}
