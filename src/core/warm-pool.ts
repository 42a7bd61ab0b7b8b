/** Sessions that were opened before anybody asked for them: whoever asks for the same finds a warm agent. */
import type { CoreSession } from "./session.ts";
import type { SessionOptions } from "./api.ts";

export interface PoolLimits {
  /** How many are kept warm. */
  readonly size: number;
  /** How long one that nobody takes is kept. */
  readonly idleMs: number;
}

export const defaultPoolLimits: PoolLimits = { size: 2, idleMs: 600_000 };

interface Kept {
  readonly key: string;
  readonly session: CoreSession;
  readonly timer: NodeJS.Timeout;
}

export class WarmPool {
  readonly #limits: PoolLimits;
  readonly #kept: Kept[] = [];

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  /** The oldest makes room. */
  async keep(options: SessionOptions, session: CoreSession): Promise<void> {
    const timer = setTimeout(() => void this.#discard(kept), this.#limits.idleMs).unref();
    const kept: Kept = { key: keyOf(options), session, timer };
    this.#kept.push(kept);
    while (this.#kept.length > this.#limits.size) await this.#discard(this.#kept[0]!);
  }

  peek(options: SessionOptions): CoreSession | undefined {
    const key = keyOf(options);
    return this.#kept.find((kept) => kept.key === key)?.session;
  }

  /** One that was opened with the same options, if there is one. */
  take(options: SessionOptions): CoreSession | undefined {
    const key = keyOf(options);
    const place = this.#kept.findIndex((kept) => kept.key === key);
    const [kept] = place === -1 ? [] : this.#kept.splice(place, 1);
    clearTimeout(kept?.timer);
    return kept?.session;
  }

  async #discard(kept: Kept): Promise<void> {
    const place = this.#kept.indexOf(kept);
    if (place === -1) return;
    this.#kept.splice(place, 1);
    clearTimeout(kept.timer);
    await kept.session.close();
  }

  /** Nothing is kept any more; the sessions are their Reins's to close. */
  empty(): void {
    for (const { timer } of this.#kept.splice(0)) clearTimeout(timer);
  }
}

/** Everything an agent is opened with; who answers it can be said later. */
function keyOf({ onPermission: _p, onQuestion: _q, attended: _a, ...options }: SessionOptions): string {
  return JSON.stringify(options, (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
