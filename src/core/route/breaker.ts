/**
 * What is down, and until when: an agent that ran out of something is not asked again before that is over, by no session of this
 * process and, with a store, of no other one either. Signing in or asking for its status anew forgets it.
 */
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";

/** One thing that is down. */
export interface Down {
  /** In milliseconds since 1970. */
  readonly until: number;
  readonly reason: ErrorCode;
}

/** Where it is remembered; a store implements it, and there is one in memory. */
export interface DownRows {
  get(key: string): Down | undefined;
  set(key: string, down: Down): void;
  delete(key: string): void;
}

const minute = 60_000;

/** How long it counts where no reset was told. What is not here says nothing about the next turn. */
const restMs: Partial<Record<ErrorCode, number>> = {
  quota_exhausted: 15 * minute,
  not_authenticated: 10 * minute,
  rate_limited: minute,
  overloaded: minute,
  agent_crashed: minute,
  agent_hung: minute,
  protocol_error: minute,
  timeout: minute,
  network: minute / 2,
};

/** The longest allowance there is begins again within a week; a reset that is further away is a slip of somebody's clock. */
const longest = 8 * 24 * 60 * minute;

export class Breaker {
  readonly #rows: DownRows;
  readonly #now: () => number;

  constructor(rows: DownRows = new Map<string, Down>(), now: () => number = Date.now) {
    this.#rows = rows;
    this.#now = now;
  }

  downOf(agent: string): Down | undefined {
    const down = this.#rows.get(agent);
    if (down === undefined) return undefined;
    const left = down.until - this.#now();
    if (left > 0 && left <= longest) return down;
    this.#rows.delete(agent);
    return undefined;
  }

  failed(agent: string, { code, resetsAt }: Pick<ErrorInfo, "code" | "resetsAt">): void {
    const rest = restMs[code];
    if (rest === undefined) return;
    const now = this.#now();
    const told = resetsAt === undefined ? Number.NaN : Date.parse(resetsAt);
    const until = told > now && told - now <= longest ? told : now + rest;
    this.#rows.set(agent, { until, reason: code });
  }

  /** It works, or something happened that may have changed what was known. */
  clear(agent: string): void {
    if (this.#rows.get(agent) !== undefined) this.#rows.delete(agent);
  }
}
