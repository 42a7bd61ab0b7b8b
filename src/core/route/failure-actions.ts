/** The table of what a route does when a turn fails: by error code, before and after the turn changed something. */
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";

/**
 * - `move`: another agent may succeed
 * - `wait`: the failure is temporary; ask the same agent again if it ends soon, otherwise another one
 * - `stop`: another agent would not succeed, or must not be asked
 */
export type Action = "move" | "wait" | "stop";

interface Row {
  readonly before: Action;
  readonly after: Action;
}

const both = (fate: Action): Row => ({ before: fate, after: fate });

export const failureActions: Readonly<Record<ErrorCode, Row>> = {
  not_installed: both("move"),
  not_authenticated: both("move"),
  version_unsupported: both("move"),
  model_unknown: both("move"),
  rate_limited: both("wait"),
  quota_exhausted: both("wait"),
  overloaded: both("wait"),
  context_too_long: both("move"),
  agent_crashed: both("move"),
  // The cause is unknown, so a retry may fail again; another agent may succeed.
  agent_error: both("move"),
  agent_hung: both("move"),
  protocol_error: both("move"),
  network: both("move"),
  timeout: both("move"),
  // The agent does not have this conversation. Before anything happened that is the caller's mistake and must be visible.
  session_not_found: { before: "stop", after: "move" },
  // A person or policy refused, so no other agent is asked instead.
  refused: both("stop"),
  permission_denied: both("stop"),
  cancelled: both("stop"),
  budget_exceeded: both("stop"),
  // Every agent would fail in the same way.
  session_busy: both("stop"),
  invalid_input: both("stop"),
  unsupported: both("stop"),
  internal: both("stop"),
};

export interface Failed {
  readonly code: ErrorCode;
  readonly resetsAt?: string | undefined;
  readonly sideEffect: boolean;
  readonly denied: boolean;
  readonly waited: boolean;
}

export interface RouteChoices {
  /** Maximum time until a reset that is waited for, in milliseconds. */
  readonly patience: number;
  readonly afterSideEffects: "handoff" | "stop";
  readonly briefingChars: number;
}

export const defaultChoices: RouteChoices = { patience: 60_000, afterSideEffects: "handoff", briefingChars: 24_000 };

export type FailureAction =
  | { readonly do: "move" }
  | { readonly do: "wait"; readonly until: number }
  | { readonly do: "stop"; readonly why?: string };

export function failureAction(failed: Failed, choices: RouteChoices, now: number): FailureAction {
  const fate = failureActions[failed.code][failed.sideEffect ? "after" : "before"];
  if (fate === "stop" || failed.denied) return { do: "stop" };
  const until = fate === "wait" && !failed.waited ? nearReset(failed.resetsAt, choices, now) : undefined;
  if (until !== undefined) return { do: "wait", until };
  if (failed.sideEffect && choices.afterSideEffects === "stop")
    return { do: "stop", why: "The turn had already changed something, so the route stops here." };
  return { do: "move" };
}

export function nearReset(resetsAt: string | undefined, { patience }: RouteChoices, now: number): number | undefined {
  const until = resetsAt === undefined ? Number.NaN : Date.parse(resetsAt);
  return until - now <= patience ? until : undefined;
}

const hopeless: ReadonlySet<string> = new Set(["not_authenticated", "model_unknown"]);

/** True when an agent's own retry is not worth waiting for, because another agent could continue. */
export function isSlow(
  retry: { readonly error: ErrorInfo; readonly delayMs?: number | undefined },
  choices: RouteChoices,
  now: number,
): boolean {
  const { error, delayMs = 0 } = retry;
  if (hopeless.has(error.code) || delayMs > choices.patience) return true;
  return error.resetsAt !== undefined && nearReset(error.resetsAt, choices, now) === undefined;
}
