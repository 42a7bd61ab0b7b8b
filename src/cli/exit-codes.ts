import type { ErrorCode } from "../events/errors.ts";
import type { Outcome } from "../events/types.ts";

/** Every exit code of the command and its meaning; `--help` and `docs/cli.md` show this table. */
export const exitCodes = {
  done: { code: 0, meaning: "done" },
  failed: { code: 1, meaning: "the agent or Reins failed" },
  usage: { code: 2, meaning: "wrong usage, such as an unknown option, folder, agent, model or state" },
  notReady: { code: 3, meaning: "the agent is not installed, too old, or not signed in" },
  denied: { code: 4, meaning: "the model refused, or a required permission was denied" },
  limit: { code: 5, meaning: "a limit was reached: turns, budget, tokens, rate or quota" },
  hangup: { code: 129, meaning: "the terminal was closed" },
  cancelled: { code: 130, meaning: "cancelled with Ctrl-C" },
  readerLeft: { code: 141, meaning: "the reader of the output closed it" },
  terminated: { code: 143, meaning: "ended by SIGTERM" },
} as const;

export type Exit = keyof typeof exitCodes;

const byError: Record<ErrorCode, Exit> = {
  not_installed: "notReady",
  not_authenticated: "notReady",
  version_unsupported: "notReady",
  model_unknown: "usage",
  session_not_found: "usage",
  invalid_input: "usage",
  unsupported: "usage",
  refused: "denied",
  permission_denied: "denied",
  rate_limited: "limit",
  quota_exhausted: "limit",
  context_too_long: "limit",
  budget_exceeded: "limit",
  cancelled: "cancelled",
  overloaded: "failed",
  agent_crashed: "failed",
  agent_error: "failed",
  agent_hung: "failed",
  protocol_error: "failed",
  network: "failed",
  session_busy: "failed",
  timeout: "failed",
  internal: "failed",
};

const byOutcome: Record<Outcome, Exit> = {
  done: "done",
  cancelled: "cancelled",
  refused: "denied",
  max_tokens: "limit",
  max_turns: "limit",
  budget: "limit",
  interrupted: "failed",
  failed: "failed",
};

/** Converts the exit code of this command, run again as a child process. */
export function exitOfCode(code: number): Exit {
  return (Object.keys(exitCodes) as Exit[]).find((exit) => exitCodes[exit].code === code) ?? "failed";
}

export function exitOfError(code: ErrorCode): Exit {
  return byError[code];
}

/** An error is more specific than the outcome. */
export function exitOfTurn(result: { outcome: Outcome; error?: { code: ErrorCode } | undefined }): Exit {
  return result.error === undefined ? byOutcome[result.outcome] : byError[result.error.code];
}
