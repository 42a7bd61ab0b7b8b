/** Waits between requests: the documented limits of each endpoint, exponential backoff, and `Retry-After`. */
import { setTimeout as sleep } from "node:timers/promises";
import { ReinsError } from "../../events/errors.ts";
import type { Limits } from "./client-http.ts";
import { who } from "./program.ts";

const longestMs = 30_000;

/** 1, 2, 4, ... seconds with jitter, so that many clients do not return at once. */
export function backoff(attempt: number, firstMs = 1_000, random: () => number = Math.random): number {
  const whole = Math.min(firstMs * 2 ** (attempt - 1), longestMs);
  return Math.round(whole * (0.75 + random() / 4));
}

/** Converts `Retry-After` (seconds, or a date) to milliseconds from now. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const given = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(given)) return Number(given) * 1000;
  const date = Date.parse(given);
  // Date.parse also accepts bare numbers, which are not HTTP dates.
  return Number.isNaN(date) || !/[a-z]/i.test(given) ? undefined : Math.max(0, date - now);
}

const minute = 60_000;
const hour = 60 * minute;

export interface Clock {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

export class RateLimit {
  readonly #clock: Clock;
  readonly #longestMs: number;
  /** The times of requests per endpoint, including those that still wait. */
  readonly #asked = new Map<string, number[]>();

  constructor(clock: Clock = realClock, longestMs: number = minute) {
    this.#clock = clock;
    this.#longestMs = longestMs;
  }

  /** Resolves when the endpoint may be called. Throws `rate_limited` when the wait would be too long. */
  async turn(endpoint: string, { perMinute, perHour }: Limits, signal?: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    const before = (this.#asked.get(endpoint) ?? []).filter((time) => time > now - hour);
    const free = (count: number | undefined, span: number): number => {
      const oldest = count === undefined ? undefined : before.at(-count);
      return oldest === undefined ? now : oldest + span;
    };
    const at = Math.max(now, free(perMinute, minute), free(perHour, hour));
    if (at - now > this.#longestMs) {
      const resetsAt = new Date(at).toISOString();
      const message = `${who.name} accepts no further request for ${endpoint} before ${resetsAt}.`;
      throw new ReinsError("rate_limited", message, { agent: who.id, resetsAt });
    }
    this.#asked.set(endpoint, [...before, at]);
    if (at > now) await this.#clock.sleep(at - now, signal);
  }
}
