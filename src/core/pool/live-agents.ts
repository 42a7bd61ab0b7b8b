/**
 * How many agents live at once, and how much memory they have. Above the cap the one that has been idle longest is put to sleep: its
 * state is kept, and its next prompt wakes it. Where nobody is idle and memory is short, a start waits, and says so.
 */
import { freemem, totalmem } from "node:os";
import { ReinsError } from "../../events/errors.ts";

export interface IdleSession {
  /** Since when it could be put to sleep; undefined while it works, or cannot be woken again. */
  idleSince(): number | undefined;
  sleep(): Promise<void>;
}

export interface LiveLimits {
  /** Agents that live at once; one that works is never ended for it. */
  readonly agents: number;
  readonly memory: number;
  /** Bytes of the machine that must be free for one more. */
  readonly free: number;
}

export const defaultLiveLimits: LiveLimits = {
  agents: 16,
  memory: Math.round(ourMemory() * 0.75),
  free: 256 * 1024 * 1024,
};

/** A container may have less than the machine. */
function ourMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

export interface LiveAgentsOptions {
  readonly limits: LiveLimits;
  /** Bytes the agents have now; undefined where that cannot be known. */
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

  /** Returns when there is room for one more. `waits` is called once, with why, when that takes longer. */
  async enter(sleeper: IdleSession, waits: (why: string) => void, signal: AbortSignal): Promise<void> {
    for (let said = false; ;) {
      if (signal.aborted) throw new ReinsError("cancelled", "The session was closed.");
      if (this.#live.size >= this.#o.limits.agents && (await this.#makeRoom())) continue;
      const others = this.#live.size;
      const short = await this.#shortage();
      // Those who came in meanwhile have taken the room that was seen.
      if (short === undefined && this.#live.size > others) continue;
      if (short === undefined) break;
      if (await this.#makeRoom()) continue;
      // Nobody else is there whose end could be waited for.
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

  /** One has nothing to do any more: where there are too many, the longest idle one sleeps. */
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
      ? "The agents have all the memory they may have"
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
