/** An agent tries again by itself: whether that is worth waiting for when another one could go on. */
import type { ErrorInfo } from "../../events/errors.ts";
import { nearReset } from "./survivable.ts";
import type { RouteChoices } from "./survivable.ts";

/** Trying these again changes nothing. */
const hopeless: ReadonlySet<string> = new Set(["not_authenticated", "model_unknown"]);

export function isSlow(
  retry: { readonly error: ErrorInfo; readonly delayMs?: number | undefined },
  choices: RouteChoices,
  now: number,
): boolean {
  const { error, delayMs = 0 } = retry;
  if (hopeless.has(error.code) || delayMs > choices.patience) return true;
  return error.resetsAt !== undefined && nearReset(error.resetsAt, choices, now) === undefined;
}
