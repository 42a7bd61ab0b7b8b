/** Writes the events of all sessions of this process in batches: at the latest when 64 events wait, or after 5 ms. */
import type { Database } from "./database.ts";

const mostEvents = 64;
const longestMs = 5;

/** A log that has events to write. */
export interface Dirty {
  /** Called inside a transaction. When it throws, the transaction is rolled back. */
  write(): void;
  /** Called after the transaction: `failure` is undefined when the events are durable. */
  written(failure: unknown): void;
}

export class Writer {
  readonly #db: Database;
  readonly #dirty = new Set<Dirty>();
  #waiting = 0;
  #lastMs = -Infinity;
  #timer: NodeJS.Timeout | NodeJS.Immediate | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Announces `count` more waiting events of this log. */
  add(log: Dirty, count: number): void {
    this.#dirty.add(log);
    this.#waiting += count;
    if (this.#waiting >= mostEvents) return this.flush();
    if (this.#timer !== undefined) return;
    // After a quiet time, write the first event without waiting for others.
    const quiet = performance.now() - this.#lastMs >= longestMs;
    this.#timer = quiet ? setImmediate(() => this.flush()) : setTimeout(() => this.flush(), longestMs);
  }

  flush(): void {
    this.#clear();
    if (this.#dirty.size === 0) return;
    const logs = [...this.#dirty];
    this.#dirty.clear();
    this.#waiting = 0;
    const failure = this.#write(logs);
    // A single log may have caused the failure, so write each on its own.
    if (failure !== undefined && logs.length > 1) for (const log of logs) log.written(this.#write([log]));
    else for (const log of logs) log.written(failure);
    this.#lastMs = performance.now();
  }

  #write(logs: readonly Dirty[]): unknown {
    try {
      this.#db.transaction(() => {
        for (const log of logs) log.write();
      });
      return undefined;
    } catch (thrown) {
      return thrown ?? new Error("unknown");
    }
  }

  #clear(): void {
    clearTimeout(this.#timer as NodeJS.Timeout);
    clearImmediate(this.#timer as NodeJS.Immediate);
    this.#timer = undefined;
  }
}
