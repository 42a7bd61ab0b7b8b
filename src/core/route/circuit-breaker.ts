/**
 * Remembers which agents are unavailable until when: an agent that hit a limit is not asked again before the limit
 * ends, by any session of this process and, with a store, of other processes. A successful turn or a sign-in clears
 * it.
 */
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import type { BreakerRow, Breakers, Store } from "../log/types.ts";

const minute = 60_000;

/** How long an agent counts as unavailable when it reported no reset time. Other codes say nothing about the next turn. */
const restMs: Partial<Record<ErrorCode, number>> = {
  quota_exhausted: 15 * minute,
  not_authenticated: 10 * minute,
  rate_limited: minute,
  overloaded: minute,
  agent_crashed: minute,
  agent_error: minute,
  agent_hung: minute,
  protocol_error: minute,
  timeout: minute,
  network: minute / 2,
};

/** The longest known limits reset within a week. A later reset time is a clock error. */
const longest = 8 * 24 * 60 * minute;

export class CircuitBreaker {
  readonly #rows: Breakers;
  readonly #now: () => number;

  constructor(rows: Breakers = createMemoryBreakers(), now: () => number = Date.now) {
    this.#rows = rows;
    this.#now = now;
  }

  downOf(agent: string): BreakerRow | undefined {
    const now = this.#now();
    return this.#rows.list(now).find(({ key, until }) => key === agent && until - now <= longest);
  }

  failed(agent: string, { code, message, resetsAt }: ErrorInfo): void {
    const rest = restMs[code];
    if (rest === undefined) return;
    const now = this.#now();
    const told = resetsAt === undefined ? Number.NaN : Date.parse(resetsAt);
    const isTold = told > now && told - now <= longest;
    const until = isTold ? told : now + rest;
    // An estimate must not shorten a limit that ends later.
    if (!isTold && (this.downOf(agent)?.until ?? 0) > until) return;
    this.#rows.set({ key: agent, until, code, reason: message });
  }

  /** The user seems to have signed in. Limits stay. */
  signedIn(agent: string): void {
    if (this.downOf(agent)?.code === "not_authenticated") this.clear(agent);
  }

  clear(agent: string): void {
    if (this.#rows.list(0).some(({ key }) => key === agent)) this.#rows.clear(agent);
  }
}

/** Uses the store while it works, otherwise memory: a full disk must not prevent a fallback. */
export function breakersOf(store: Pick<Store, "trouble" | "breakers"> | undefined): Breakers {
  const memory = createMemoryBreakers();
  const use = <Value>(does: (rows: Breakers) => Value): Value => {
    try {
      return does(store === undefined || store.trouble !== undefined ? memory : store.breakers);
    } catch {
      return does(memory);
    }
  };
  return {
    list: (now) => use((rows) => rows.list(now)),
    set: (row) => use((rows) => rows.set(row)),
    clear: (key) => use((rows) => rows.clear(key)),
  };
}

export function createMemoryBreakers(): Breakers {
  const rows = new Map<string, BreakerRow>();
  return {
    list: (now = Date.now()) => [...rows.values()].filter(({ until }) => until > now),
    set: (row) => void rows.set(row.key, row),
    clear: (key) => void rows.delete(key),
  };
}
