/**
 * What is down, and until when: an agent that ran out of something is not asked again before that is over, by no session of this
 * process and, with a store, by no other process either. A turn that went well or a sign-in forgets it.
 */
import type { ErrorCode, ErrorInfo } from "../../events/errors.ts";
import type { BreakerRow, Breakers, Store } from "../log/types.ts";

const minute = 60_000;

/** How long it counts where no reset was told. What is not here says nothing about the next turn. */
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

/** The longest allowance there is begins again within a week; a reset that is further away is a slip of somebody's clock. */
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
    // A guess says nothing about a limit that ends later.
    if (!isTold && (this.downOf(agent)?.until ?? 0) > until) return;
    this.#rows.set({ key: agent, until, code, reason: message });
  }

  /** It looks as if somebody had signed in; a limit stays what it is. */
  signedIn(agent: string): void {
    if (this.downOf(agent)?.code === "not_authenticated") this.clear(agent);
  }

  clear(agent: string): void {
    if (this.#rows.list(0).some(({ key }) => key === agent)) this.#rows.clear(agent);
  }
}

/** The store's, as long as it can be used: an agent that is down must not be the end of a turn because a disk is full. */
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
