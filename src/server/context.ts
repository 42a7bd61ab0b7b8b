/** State that all resources share. */
import type { Reins } from "../core/api.ts";
import type { Store } from "../core/log/types.ts";
import type { Redactor } from "../events/redact.ts";
import { mayWorkIn, type Principal } from "./access/principal.ts";
import type { Tokens } from "./access/tokens.ts";
import type { Comparisons } from "../core/comparisons/comparisons.ts";
import type { Idempotency } from "./idempotency.ts";
import type { ServerLimits } from "./limits.ts";
import type { Metrics } from "./metrics.ts";
import { unknownSession, type HeldSessions } from "./sessions/held-sessions.ts";
import type { Readers } from "./transport/stream-limit.ts";
import type { SessionSummary } from "./schemas/sessions.ts";
import type { Uploads } from "./uploads.ts";

export interface ServerContext {
  readonly reins: Reins;
  readonly store: Store | undefined;
  readonly open: HeldSessions;
  readonly tokens: Tokens;
  readonly uploads: Uploads;
  readonly comparisons: Comparisons;
  readonly once: Idempotency;
  readonly metrics: Metrics;
  readonly readers: Readers;
  readonly limits: ServerLimits;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly redact: Redactor;
  readonly cookie: () => string;
  readonly version: string;
  readonly log: ServerLog;
  /** Counts and logs a reader that was cut off because it was too slow. */
  readonly cut: (session: string, after: number) => void;
  /** Like `cut`, for a WebSocket that took no answers. */
  readonly cutSocket: () => void;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** The part of pino that is used. */
export interface ServerLog {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
  error(about: object, message: string): void;
}

/** Finds a session that this token may see. */
export async function sessionFor({ open }: ServerContext, principal: Principal, name: string): Promise<SessionSummary> {
  const session = await open.named(name);
  if (!mayWorkIn(principal, session.cwd)) throw unknownSession(name);
  return session;
}
