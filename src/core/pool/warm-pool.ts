/** Sessions opened ahead of time: a request with the same options gets a warm agent. */
import type { SessionOptions, TurnOptions, WarmOptions } from "../api.ts";
import { longestMs } from "../../events/deadlines.ts";
import { ReinsError } from "../../events/errors.ts";
import { defaultLiveLimits, type LiveLimits } from "./live-agents.ts";

export interface PoolLimits {
  readonly size: number;
  readonly idleMs: number;
}

export const defaultPoolLimits: PoolLimits = { size: 2, idleMs: 600_000 };

export interface Pooled {
  readonly isLive: boolean;
  close(): Promise<void>;
}

interface Kept<One> {
  readonly key: string;
  readonly session: One;
  readonly timer: NodeJS.Timeout;
}

export class WarmPool<One extends Pooled> {
  readonly #limits: PoolLimits;
  #kept: readonly Kept<One>[] = [];

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  /** Also accepts a session that is still opening. The oldest session makes room. */
  async keep(key: string, session: One): Promise<void> {
    const idleMs = Math.min(this.#limits.idleMs, longestMs);
    const timer = setTimeout(() => void session.close(), idleMs).unref();
    this.#kept = [...this.#kept, { key, session, timer }];
    const oldest = this.#kept.slice(0, Math.max(0, this.#kept.length - this.#limits.size));
    await Promise.all(oldest.map((kept) => kept.session.close()));
  }

  peek(key: string): One | undefined {
    return this.#kept.find((kept) => kept.key === key && kept.session.isLive)?.session;
  }

  take(key: string): One | undefined {
    const session = this.peek(key);
    if (session !== undefined) this.forget(session);
    return session;
  }

  forget(session: One): void {
    for (const kept of this.#kept) if (kept.session === session) clearTimeout(kept.timer);
    this.#kept = this.#kept.filter((kept) => kept.session !== session);
  }
}

/**
 * All options that an agent is opened with; callbacks can be set later. `folder` identifies the folder itself,
 * because another may get its name.
 */
export function poolKey(options: SessionOptions & TurnOptions, folder: string): string {
  const { onPermission: _p, onQuestion: _q, attended: _a, signal: _s, whenBusy: _w, id: _i, ...opened } = options;
  return JSON.stringify([folder, opened], (_key, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

const mb = 1024 * 1024;

export function liveLimitsOf({ agents, memoryMb, freeMb }: WarmOptions = {}): LiveLimits {
  return {
    agents: atLeast(1, "agents", agents) ?? defaultLiveLimits.agents,
    memory: bytes(atLeast(1, "memoryMb", memoryMb)) ?? defaultLiveLimits.memory,
    free: bytes(atLeast(0, "freeMb", freeMb)) ?? defaultLiveLimits.free,
  };
}

export function poolLimitsOf({ pool, poolMs }: WarmOptions = {}): PoolLimits {
  return {
    size: atLeast(0, "pool", pool) ?? defaultPoolLimits.size,
    idleMs: atLeast(0, "poolMs", poolMs) ?? defaultPoolLimits.idleMs,
  };
}

function atLeast(least: number, name: string, value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= least) return value;
  throw new ReinsError("invalid_input", `warm.${name} must be a number, ${least} or more.`);
}

function bytes(megabytes: number | undefined): number | undefined {
  return megabytes === undefined ? undefined : megabytes * mb;
}
