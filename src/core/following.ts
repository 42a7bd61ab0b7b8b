/** What a session watches and does beside its agent: what is spent, and what follows a turn by itself. */
import type { Processes } from "../process/types.ts";
import type { ReinsError } from "../events/errors.ts";
import { Aftermath } from "./aftermath.ts";
import type { AftermathOptions } from "./aftermath.ts";
import type { AfterSteps } from "./after.ts";
import type { CommandWriter } from "./asking.ts";
import type { Budget, Spent } from "./budget.ts";
import type { Environment } from "./configuration-files.ts";
import type { ContinueRule } from "./continue.ts";
import { Spending } from "./spending.ts";
import type { Days } from "./spent-so-far.ts";

/** What was asked for, and with what it is done. */
export interface FollowingOptions {
  readonly budget: Budget | undefined;
  readonly days: Days;
  readonly before: Spent;
  readonly fresh: boolean;
  readonly after: AfterSteps | undefined;
  readonly whoseAfter: CommandWriter;
  readonly rules: readonly ContinueRule[] | undefined;
  readonly processes: Processes;
  readonly env: Environment;
}

export interface FollowedSession extends Pick<
  AftermathOptions,
  "sessionId" | "cwd" | "agent" | "deadlineMs" | "say" | "permit"
> {
  readonly warn: (code: "budget" | "continue", message: string) => void;
  readonly over: (error: ReinsError) => void;
}

export function following(
  options: FollowingOptions,
  session: FollowedSession,
): { spending: Spending; aftermath: Aftermath } {
  const { budget = {}, days, before, fresh, after, rules, processes, env } = options;
  return {
    spending: new Spending({
      budget,
      days,
      before,
      fresh,
      warn: (message) => session.warn("budget", message),
      over: session.over,
    }),
    aftermath: new Aftermath({
      ...session,
      after,
      rules,
      processes,
      env,
      warn: (message) => session.warn("continue", message),
    }),
  };
}
