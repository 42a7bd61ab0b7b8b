/** What a session is made with. */
import type { Deadlines } from "../events/deadlines.ts";
import type { ErrorCode } from "../events/errors.ts";
import type { Limits } from "../events/limits.ts";
import type { Mode } from "../events/modes.ts";
import type { Redactor } from "../events/redact.ts";
import type { Repository } from "./changes.ts";
import type { FollowingOptions } from "./following.ts";
import type { Resumed } from "./keeping.ts";
import type { LiveAgents } from "./live-agents.ts";
import type { SessionLog } from "./log.ts";
import type { Put } from "./record/keep.ts";
import type { Holder, Route } from "./route/relay.ts";

export interface SessionContext {
  readonly id: string;
  readonly cwd: string;
  /** Who holds it, until somebody takes over. */
  readonly holder: Holder;
  /** Who held it when it was last kept, where that was another one. */
  readonly heldBefore: string | undefined;
  readonly route: Route;
  readonly log: SessionLog;
  /** Keeps what is too long to stand in an event. */
  readonly put: Put | undefined;
  /** It goes on with a session that was kept. */
  readonly resumed: Resumed | undefined;
  readonly repository: Repository;
  readonly following: FollowingOptions;
  readonly redact: Redactor;
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  readonly mode: Mode;
  /** Said at the start of the first turn: what was asked for and is not done, or looks like a slip. */
  readonly toSay: readonly Remark[];
  /** A turn of this agent failed. */
  readonly onFailed: (agent: string, code: ErrorCode) => void;
  readonly onClose: () => void;
  readonly live: LiveAgents;
}

export interface Remark {
  readonly code: "divergence" | "model_unknown" | "store";
  readonly message: string;
}
