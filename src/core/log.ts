/** The log: where events go and where readers read them. The interface a store implements; `memory-log.ts` is the one without a store. */
import type { ReinsEvent } from "../events/types.ts";

export interface SessionLog {
  /**
   * Takes events in the order of their `seq`. A returned promise asks the writer to wait (until it is durable, or until readers
   * caught up); the events are already taken.
   */
  append(events: readonly ReinsEvent[]): Promise<void> | undefined;
  /** Everything after a `seq`, then what follows, in batches, until the log ends or the reader leaves. */
  read(after: number): AsyncIterableIterator<readonly ReinsEvent[]>;
  /** Nothing follows: readers end when they have read it all. */
  end(): void;
}

export interface Log {
  open(sessionId: string): SessionLog;
}
