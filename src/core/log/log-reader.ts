/** Buffer for the newest batches of a log, and a reader that reads a log at its own pace. Every kind of log uses both. */
import type { EventBatch } from "./event-batch.ts";

export class BatchBuffer {
  #batches: EventBatch[] = [];
  #written = 0;
  #droppedBytes = 0;
  #droppedSeq = 0;
  #lineBytes = 0;

  get written(): number {
    return this.#written;
  }

  get droppedBytes(): number {
    return this.#droppedBytes;
  }

  /** Bytes of the serialised lines kept by these batches. */
  get lineBytes(): number {
    return this.#lineBytes;
  }

  /** Sequence number of the last dropped event; 0 when none was dropped. */
  get droppedSeq(): number {
    return this.#droppedSeq;
  }

  get firstSeq(): number | undefined {
    return this.#batches[0]?.firstSeq;
  }

  add(batch: EventBatch, bytes: number): void {
    this.#written += bytes;
    batch.upTo = this.#written;
    batch.keeper = this;
    this.#lineBytes += batch.lineBytes;
    this.#batches.push(batch);
  }

  /** The next batch after a sequence number, as far as it is in the buffer. Undefined when there is none yet. */
  after(seq: number): EventBatch | undefined {
    const last = this.#batches.at(-1);
    if (last === undefined || seq >= last.lastSeq) return undefined;
    return (seq + 1 >= last.firstSeq ? last : this.#batches[this.#indexAfter(seq)]!).after(seq);
  }

  bytesBefore(seq: number): number {
    const last = this.#batches.at(-1);
    if (last === undefined || seq >= last.lastSeq) return this.#written;
    return this.#batches[this.#indexAfter(seq) - 1]?.upTo ?? this.#droppedBytes;
  }

  grew(batch: EventBatch, bytes: number): void {
    if (batch.upTo > this.#droppedBytes) this.#lineBytes += bytes;
  }

  /** Drops batches up to a position in the log, and frees at most `atMost` bytes. The last batch stays. */
  drop(upTo: number, atMost = Infinity): void {
    let [count, lineBytes] = [0, 0];
    for (const batch of this.#batches.slice(0, -1)) {
      const freed = batch.upTo - this.#droppedBytes + lineBytes + batch.lineBytes;
      if (batch.upTo > upTo || freed > atMost) break;
      lineBytes += batch.lineBytes;
      count++;
    }
    if (count === 0) return;
    this.#lineBytes -= lineBytes;
    const last = this.#batches[count - 1]!;
    this.#droppedSeq = last.lastSeq;
    this.#droppedBytes = last.upTo;
    this.#batches = this.#batches.slice(count);
  }

  #indexAfter(seq: number): number {
    let low = 0;
    let high = this.#batches.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#batches[middle]!.lastSeq <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export interface LogSource {
  /** The next batch after a sequence number; undefined when there is none yet. Throws when it is no longer kept. */
  take(after: number): EventBatch | undefined;
  readonly isEnded: boolean;
  /** The reader has read everything up to its `readBytes`. */
  moved?(reader: LogReader): void;
  left(reader: LogReader): void;
}

/** Reads a log at its own pace. A batch counts as read when the next one is requested. */
export class LogReader implements AsyncIterableIterator<EventBatch> {
  readBytes: number;
  readonly #source: LogSource;
  #after: number;
  #taken: EventBatch | undefined;
  #isDone = false;
  #sleeper: PromiseWithResolvers<void> | undefined;

  constructor(source: LogSource, after: number, readBytes = 0) {
    this.#source = source;
    this.#after = after;
    this.readBytes = readBytes;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** True when the reader wants none of the events up to this one, because it was opened to read later ones only. */
  isBeyond(seq: number): boolean {
    return this.#taken === undefined && this.#after >= seq;
  }

  wake(): void {
    this.#sleeper?.resolve();
    this.#sleeper = undefined;
  }

  async next(): Promise<IteratorResult<EventBatch>> {
    if (this.#taken !== undefined) {
      this.readBytes = this.#taken.upTo;
      this.#taken = undefined;
      this.#source.moved?.(this);
    }
    for (;;) {
      if (this.#isDone) return { value: undefined, done: true };
      const batch = this.#takeOrLeave();
      if (batch !== undefined) {
        this.#after = batch.lastSeq;
        this.#taken = batch;
        return { value: batch, done: false };
      }
      if (this.#source.isEnded) {
        this.#leave();
        continue;
      }
      this.#sleeper ??= Promise.withResolvers();
      await this.#sleeper.promise;
    }
  }

  return(): Promise<IteratorResult<EventBatch>> {
    this.#leave();
    return Promise.resolve({ value: undefined, done: true });
  }

  #takeOrLeave(): EventBatch | undefined {
    try {
      return this.#source.take(this.#after);
    } catch (thrown) {
      this.#leave();
      throw thrown;
    }
  }

  #leave(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#source.left(this);
    this.wake();
  }
}
