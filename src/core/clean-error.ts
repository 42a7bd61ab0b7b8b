import { type ReinsError, toReinsError } from "../events/errors.ts";
import type { Redactor } from "../events/redact.ts";

/** Errors of errors of errors: nobody looks further. */
const deepest = 8;

/** The error for the caller, without secrets, also in what caused it: an agent's words may be in there, and people print errors. */
export function cleanError(thrown: unknown, redact: Redactor): ReinsError {
  const error = toReinsError(thrown);
  let cause: unknown = error;
  for (let depth = 0; cause instanceof Error && depth < deepest; depth++) {
    // In place: it keeps its class and its stack.
    for (const [key, value] of Object.entries(Object.getOwnPropertyDescriptors(cause))) {
      if (key === "cause" && value.value instanceof Error) continue;
      const clean: unknown = redact.deep(value.value);
      if (clean !== value.value) Object.defineProperty(cause, key, { ...value, value: clean });
    }
    cause = cause.cause;
  }
  return error;
}
