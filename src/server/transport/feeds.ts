/** The feeds of sessions that have readers or that this server holds. */
import type { Reins } from "../../core/api.ts";
import type { EventBatch } from "../../core/log/event-batch.ts";
import type { Store } from "../../core/log/types.ts";
import { Feed } from "./event-feed.ts";

/** How often the log of a session of another process is checked. */
const lookMs = 300;

interface Reading {
  readonly feed: Feed;
  readers: number;
  timer: NodeJS.Timeout | undefined;
}

export interface FeedsOptions {
  readonly reins: Reins;
  readonly store: Store | undefined;
  readonly isHeld: (id: string) => boolean;
  readonly onError: (thrown: unknown) => void;
}

export class Feeds {
  readonly #options: FeedsOptions;
  readonly #reading = new Map<string, Reading>();
  #closed = false;

  constructor(options: FeedsOptions) {
    this.#options = options;
  }

  /** Call `leave` when done. */
  read(id: string, lastSeq: number): { readonly feed: Feed; readonly leave: () => void } {
    const reading = this.#of(id, lastSeq);
    if (!this.#options.isHeld(id)) reading.feed.grown(lastSeq);
    reading.readers++;
    reading.timer ??= setInterval(() => this.#look(id, reading.feed), lookMs).unref();
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      if (--reading.readers > 0) return;
      clearInterval(reading.timer);
      reading.timer = undefined;
      if (!this.#options.isHeld(id)) this.#reading.delete(id);
    };
    return { feed: reading.feed, leave };
  }

  hold(id: string, lastSeq: number): void {
    this.#of(id, lastSeq).feed.grown(lastSeq);
  }

  push(id: string, batch: EventBatch): void {
    const reading = this.#reading.get(id);
    if (reading === undefined) return;
    // Without readers, events stay only in the log.
    if (reading.readers > 0 || this.#options.store === undefined) reading.feed.push(batch);
    else reading.feed.grown(batch.lastSeq);
  }

  release(id: string): void {
    if (this.#reading.get(id)?.readers === 0) this.#reading.delete(id);
  }

  /** The session was removed: its readers end. */
  remove(id: string): void {
    this.#reading.get(id)?.feed.end();
  }

  /** Readers get the remaining events, and end. */
  close(): void {
    this.#closed = true;
    for (const { timer, feed } of this.#reading.values()) {
      clearInterval(timer);
      feed.finish();
    }
  }

  #of(id: string, lastSeq: number): Reading {
    const there = this.#reading.get(id);
    if (there !== undefined) return there;
    const feed = new Feed(lastSeq, (after, limit) => this.#earlier(id, after, limit));
    const reading: Reading = { feed, readers: 0, timer: undefined };
    this.#reading.set(id, reading);
    if (this.#closed) feed.finish();
    return reading;
  }

  async #earlier(id: string, after: number, limit: number): Promise<readonly string[]> {
    const { store, reins } = this.#options;
    if (store !== undefined) return store.sessions.lines(id, { after, limit });
    const lines: string[] = [];
    for await (const event of reins.sessions.events(id, { after })) {
      lines.push(JSON.stringify(event));
      if (lines.length === limit) break;
    }
    return lines;
  }

  #look(id: string, feed: Feed): void {
    const { store, isHeld, onError } = this.#options;
    if (store === undefined || isHeld(id)) return;
    try {
      const stored = store.sessions.get(id);
      if (stored === undefined) feed.end();
      else feed.grown(stored.lastSeq);
    } catch (thrown) {
      onError(thrown);
    }
  }
}
