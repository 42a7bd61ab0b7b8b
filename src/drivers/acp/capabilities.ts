/** What an agent said it can do. */
import { record } from "./read.ts";
import type { Wire } from "./read.ts";

/** Something it can do with sessions: an object says yes, an empty one too. */
export function offers(capabilities: Wire, what: string): boolean {
  const offered = record(capabilities["sessionCapabilities"])[what];
  return offered !== undefined && offered !== null && offered !== false;
}

/** The methods that take a session up again, the better first: the second tells the whole conversation again. */
export function waysToResume(capabilities: Wire): string[] {
  return [
    ...(offers(capabilities, "resume") ? ["session/resume"] : []),
    ...(capabilities["loadSession"] === true ? ["session/load"] : []),
  ];
}
