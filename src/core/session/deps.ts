import type { Deadlines } from "../../events/deadlines.ts";
import type { ErrorCode } from "../../events/errors.ts";
import type { Limits } from "../../events/limits.ts";
import type { Mode } from "../../events/modes.ts";
import type { Redactor } from "../../events/redact.ts";
import type { Repository } from "../../workspace/snapshot.ts";
import type { Resumed } from "../log/open-log.ts";
import type { LiveAgents } from "../pool/live-agents.ts";
import type { SessionLog } from "../log/types.ts";
import type { SaveBlob } from "../record/limit-content.ts";
import type { ActiveAgent, Route } from "../route/session-route.ts";
import type { Processes } from "../../process/types.ts";
import type { Budget, Spent } from "../budget/budget.ts";
import type { Days } from "../budget/spend-history.ts";
import type { Environment } from "../config/config-files.ts";
import type { AfterSteps } from "./after-steps.ts";
import type { ContinueRule } from "./after-turn.ts";
import type { CommandSource, StartNotice } from "./state.ts";

export interface SessionDeps {
  readonly id: string;
  readonly cwd: string;
  readonly active: ActiveAgent;
  /** The agent that last held the stored session, if it was another one. */
  readonly previousAgent: string | undefined;
  readonly route: Route;
  readonly log: SessionLog;
  readonly put: SaveBlob | undefined;
  readonly resumed: Resumed | undefined;
  readonly repository: Repository;
  readonly following: FollowingOptions;
  readonly redact: Redactor;
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  readonly mode: Mode;
  /** Notices for the start of the first turn: options that cannot be honoured, or probable typos. */
  readonly startNotices: readonly StartNotice[];
  readonly onAgentFailure: (agent: string, code: ErrorCode) => void;
  readonly onClose: () => void;
  readonly live: LiveAgents;
}

export interface FollowingOptions {
  readonly budget: Budget | undefined;
  readonly days: Days;
  readonly before: Spent;
  readonly fresh: boolean;
  readonly after: AfterSteps | undefined;
  readonly afterSource: CommandSource;
  readonly rules: readonly ContinueRule[] | undefined;
  readonly processes: Processes;
  readonly env: Environment;
}
