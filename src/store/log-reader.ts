/** One reader of a stored log, at its own pace. Nobody waits for it. */
import type { ReinsEvent } from "../events/types.ts";

export interface LogReaderOptions {
  readonly after: number;
  /** The next events after this one; undefined when there are none yet. */
  readonly take: (after: number) => readonly ReinsEvent[] | undefined;
  readonly ended: () => boolean;
  readonly left: () => void;
}

export class LogReader implements AsyncIterableIterator<readonly ReinsEvent[]> {
  readonly #options: LogReaderOptions;
  #after: number;
  #done = false;
  #sleeper: PromiseWithResolvers<void> | undefined;

  constructor(options: LogReaderOptions) {
    this.#options = options;
    this.#after = options.after;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  wake(): void {
    this.#sleeper?.resolve();
    this.#sleeper = undefined;
  }

  async next(): Promise<IteratorResult<readonly ReinsEvent[]>> {
    for (;;) {
      if (this.#done) return { value: undefined, done: true };
      const batch = this.#takeOrLeave();
      if (batch !== undefined) {
        this.#after = batch.at(-1)!.seq;
        return { value: batch, done: false };
      }
      if (this.#options.ended()) {
        this.#leave();
        continue;
      }
      this.#sleeper ??= Promise.withResolvers();
      await this.#sleeper.promise;
    }
  }

  return(): Promise<IteratorResult<readonly ReinsEvent[]>> {
    this.#leave();
    return Promise.resolve({ value: undefined, done: true });
  }

  #takeOrLeave(): readonly ReinsEvent[] | undefined {
    try {
      return this.#options.take(this.#after);
    } catch (thrown) {
      this.#leave();
      throw thrown;
    }
  }

  #leave(): void {
    if (this.#done) return;
    this.#done = true;
    this.#options.left();
    this.wake();
  }
}
