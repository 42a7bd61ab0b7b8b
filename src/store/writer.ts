/** Everything this process keeps goes through here, in batches: at the latest when 64 events wait, or after 5 ms. */
import type { Database } from "./database.ts";

const mostEvents = 64;
const longestMs = 5;

/** A log with something to write. */
export interface Dirty {
  /** Inside of a transaction; may throw, and is then undone. */
  write(): void;
  /** It is durable, or it is not and why. */
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

  /** So many more events of this log wait. */
  add(log: Dirty, count: number): void {
    this.#dirty.add(log);
    this.#waiting += count;
    if (this.#waiting >= mostEvents) return this.flush();
    if (this.#timer !== undefined) return;
    // After a while of silence the first one need not wait for others.
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
    // One of them may have failed by itself.
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
