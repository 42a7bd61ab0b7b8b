/** The events of one session for any number of local readers. Keeps the newest events and fetches older ones for slow readers. */
import type { ReinsError } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { Watcher } from "./connection.ts";

interface Frame {
  readonly events: readonly ReinsEvent[];
  readonly last: number;
  readonly chars: number;
}

export interface StreamOptions {
  readonly after: number;
  /** Fetches events that are no longer kept in memory; returns one page. */
  readonly earlier: (after: number) => Promise<readonly ReinsEvent[]>;
  /** Called once per event, before any reader receives it. */
  readonly learn: (event: ReinsEvent) => void;
  /** Called when a new reader starts after a failure. */
  readonly revive: () => void;
}

const mostChars = 4 * 1024 * 1024;

export class EventStream implements Watcher {
  readonly #options: StreamOptions;
  #frames: Frame[] = [];
  #chars = 0;
  #before: number;
  at: number;
  #end = Number.POSITIVE_INFINITY;
  #error: ReinsError | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#before = this.at = options.after;
  }

  get failed(): boolean {
    return this.#error !== undefined;
  }

  take(given: readonly ReinsEvent[], chars: number): void {
    const events = given.filter(({ seq }) => seq > this.at);
    const last = events.at(-1)?.seq;
    if (last === undefined) return;
    this.#frames.push({ events, last, chars });
    this.#chars += chars;
    this.at = last;
    let gone = 0;
    while (this.#chars > mostChars && gone < this.#frames.length - 1) this.#chars -= this.#frames[gone++]!.chars;
    this.#before = this.#frames[gone - 1]?.last ?? this.#before;
    if (gone > 0) this.#frames = this.#frames.slice(gone);
    for (const event of events) this.#options.learn(event);
    this.#wake();
  }

  fail(error: ReinsError): void {
    this.#error = error;
    this.#wake();
  }

  /** Readers end after this event. */
  end(last: number = this.at): void {
    this.#end = Math.min(this.#end, last);
    this.#wake();
  }

  /** Resolves when the event with this sequence number has arrived or can no longer arrive. */
  async reaches(seq: number): Promise<void> {
    while (this.at < seq && this.at < this.#end && this.#error === undefined) await this.#more();
  }

  async *read(after: number, signal?: AbortSignal): AsyncGenerator<ReinsEvent> {
    if (this.#error !== undefined) {
      this.#error = undefined;
      this.#options.revive();
    }
    const isLeft = (): boolean => signal?.aborted === true;
    for (let at = after; !isLeft() && at < this.#end;) {
      const events = at < this.#before ? await this.#options.earlier(at) : this.#kept(at);
      for (const event of events) {
        if (isLeft()) return;
        at = event.seq;
        yield event;
      }
      if (events.length > 0) continue;
      const failed = this.#error as ReinsError | undefined;
      if (failed !== undefined) throw failed;
      await this.#more(signal);
    }
  }

  #kept(after: number): readonly ReinsEvent[] {
    let first = this.#frames.length;
    while (first > 0 && this.#frames[first - 1]!.last > after) first--;
    const events = this.#frames[first]?.events ?? [];
    return events[0] === undefined || events[0].seq > after ? events : events.filter(({ seq }) => seq > after);
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #more(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      if (signal?.aborted === true) return resolve();
      this.#waiting.add(done);
      signal?.addEventListener("abort", done, { once: true });
    });
  }
}
