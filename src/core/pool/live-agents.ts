/**
 * Limits the number of running agents and their memory. Above the limit the longest idle agent is put to sleep; its
 * state is kept and its next prompt wakes it. When memory is short and no agent is idle, a new agent waits and
 * reports it.
 */
import { freemem, totalmem } from "node:os";
import { ReinsError } from "../../events/errors.ts";

export interface IdleSession {
  /** Since when the session could sleep. Undefined while it works or when it could not be woken again. */
  idleSince(): number | undefined;
  sleep(): Promise<void>;
}

export interface LiveLimits {
  /** Maximum number of running agents; a working agent is never stopped for it. */
  readonly agents: number;
  readonly memory: number;
  /** Bytes of memory that must be free on the machine for another agent. */
  readonly free: number;
}

export const defaultLiveLimits: LiveLimits = {
  agents: 16,
  memory: Math.round(ourMemory() * 0.75),
  free: 256 * 1024 * 1024,
};

/** A container may have less memory than the machine. */
function ourMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

export interface LiveAgentsOptions {
  readonly limits: LiveLimits;
  /** Bytes that the agents use now. Undefined when unknown. */
  readonly memory: () => Promise<number | undefined>;
  readonly freeMemory?: () => number;
  readonly lookMs?: number;
}

export class LiveAgents {
  readonly #o: Required<LiveAgentsOptions>;
  readonly #live = new Set<IdleSession>();
  #news = Promise.withResolvers<void>();

  constructor(options: LiveAgentsOptions) {
    this.#o = { freeMemory: freemem, lookMs: 1_000, ...options };
  }

  /** Resolves when there is room for one more agent. Calls `waits` once, with the reason, when that takes longer. */
  async enter(sleeper: IdleSession, waits: (why: string) => void, signal: AbortSignal): Promise<void> {
    for (let said = false; ;) {
      if (signal.aborted) throw new ReinsError("cancelled", "The session was closed.");
      if (this.#live.size >= this.#o.limits.agents && (await this.#makeRoom())) continue;
      const others = this.#live.size;
      const short = await this.#shortage();
      // Agents that entered in the meantime took the room.
      if (short === undefined && this.#live.size > others) continue;
      if (short === undefined) break;
      if (await this.#makeRoom()) continue;
      // No other agent is running whose end could be awaited.
      if (this.#live.size === 0) break;
      if (!said) waits(short);
      said = true;
      await this.#newsOrLook(signal);
    }
    this.#live.add(sleeper);
  }

  leave(sleeper: IdleSession): void {
    this.#live.delete(sleeper);
    this.#tellNews();
  }

  /** Called when an agent becomes idle: above the limit, the longest idle one sleeps. */
  async becameIdle(): Promise<void> {
    this.#tellNews();
    while (this.#live.size > this.#o.limits.agents && (await this.#makeRoom()));
  }

  #tellNews(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  async #makeRoom(): Promise<boolean> {
    const [idle] = [...this.#live]
      .map((one) => ({ one, since: one.idleSince() }))
      .filter((found): found is { one: IdleSession; since: number } => found.since !== undefined)
      .toSorted((a, b) => a.since - b.since);
    if (idle === undefined) return false;
    this.#live.delete(idle.one);
    await idle.one.sleep();
    return true;
  }

  async #shortage(): Promise<string | undefined> {
    if (this.#live.size === 0) return undefined;
    if (this.#o.freeMemory() < this.#o.limits.free) return "This machine is short of memory";
    const used = await this.#o.memory();
    return used !== undefined && used > this.#o.limits.memory
      ? "The agents use all the memory they may use"
      : undefined;
  }

  async #newsOrLook(signal: AbortSignal): Promise<void> {
    const look = Promise.withResolvers<void>();
    const wake = (): void => look.resolve();
    const timer = setTimeout(wake, this.#o.lookMs);
    signal.addEventListener("abort", wake, { once: true });
    await Promise.race([this.#news.promise, look.promise]);
    signal.removeEventListener("abort", wake);
    clearTimeout(timer);
  }
}
