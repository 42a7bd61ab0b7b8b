import { ReinsError } from "../events/errors.ts";
import type { Limits } from "../events/limits.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { Log, SessionLog } from "./log.ts";
import { weigh } from "./weigh.ts";

interface Batch {
  readonly events: readonly ReinsEvent[];
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Bytes of everything up to and with this batch. */
  readonly upTo: number;
}

type LogLimits = Pick<Limits, "waitingBytes" | "memoryLogBytes" | "unreadBytes">;

/** The log without a store: bounded. It asks the writer to wait for the slowest reader, and forgets the oldest of what all have read. */
export function createMemoryLog(limits: LogLimits): Log {
  return { open: () => new MemorySessionLog(limits) };
}

class MemorySessionLog implements SessionLog {
  readonly #limits: LogLimits;
  #batches: Batch[] = [];
  /** How many batches were forgotten: the absolute number of `#batches[0]`. */
  #forgotten = 0;
  #forgottenSeq = 0;
  #forgottenBytes = 0;
  #written = 0;
  /** Up to here somebody has read. */
  #readBytes = 0;
  #ended = false;
  readonly #readers = new Set<Reader>();
  #room: PromiseWithResolvers<void> | undefined;

  constructor(limits: LogLimits) {
    this.#limits = limits;
  }

  append(events: readonly ReinsEvent[]): Promise<void> | undefined {
    const first = events[0];
    const last = events.at(-1);
    if (first === undefined || last === undefined) return this.#room?.promise;
    for (const event of events) this.#written += weighEvent(event);
    this.#batches.push({ events, firstSeq: first.seq, lastSeq: last.seq, upTo: this.#written });
    for (const reader of this.#readers) reader.wake();
    this.#forget();
    if (this.#waiting() > this.#limits.waitingBytes) this.#room ??= Promise.withResolvers();
    return this.#room?.promise;
  }

  end(): void {
    this.#ended = true;
    for (const reader of this.#readers) reader.wake();
    this.#release();
  }

  read(after: number): AsyncIterableIterator<readonly ReinsEvent[]> {
    // From the end: a turn is read from where it begins, however long the session was before.
    let next = this.#forgotten + this.#batches.length;
    while (next > this.#forgotten && this.#batches[next - this.#forgotten - 1]!.lastSeq > after) next--;
    const reader: Reader = new Reader({
      next,
      after,
      readBytes: this.#batches[next - this.#forgotten - 1]?.upTo ?? this.#forgottenBytes,
      take: (position) => this.#batches[position - this.#forgotten],
      ended: () => this.#ended,
      moved: (readBytes) => {
        if (readBytes > this.#readBytes) this.#readBytes = readBytes;
        this.#moved();
      },
      left: () => {
        this.#readers.delete(reader);
        this.#moved();
      },
      missing: after < this.#forgottenSeq ? this.#forgottenSeq : undefined,
    });
    this.#readers.add(reader);
    return reader;
  }

  #waiting(): number {
    let least = this.#written;
    for (const reader of this.#readers) if (reader.readBytes < least) least = reader.readBytes;
    return this.#written - least;
  }

  #moved(): void {
    this.#forget();
    if (this.#room !== undefined && this.#waiting() <= this.#limits.waitingBytes / 2) this.#release();
  }

  #release(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #forget(): void {
    const { memoryLogBytes, unreadBytes } = this.#limits;
    let before = Math.min(this.#written - memoryLogBytes, Math.max(this.#readBytes, this.#written - unreadBytes));
    for (const { readBytes } of this.#readers) if (readBytes < before) before = readBytes;
    // In steps of a quarter, so that a stream of small batches does not pay for a copy of the list each time.
    if (before - this.#forgottenBytes < memoryLogBytes / 4) return;
    let count = 0;
    while (count < this.#batches.length - 1 && this.#batches[count]!.upTo <= before) count++;
    if (count === 0) return;
    const last = this.#batches[count - 1]!;
    this.#forgottenSeq = last.lastSeq;
    this.#forgottenBytes = last.upTo;
    this.#forgotten += count;
    this.#batches = this.#batches.slice(count);
  }
}

interface ReaderOptions {
  next: number;
  readonly after: number;
  readonly readBytes: number;
  readonly take: (position: number) => Batch | undefined;
  readonly ended: () => boolean;
  readonly moved: (readBytes: number) => void;
  readonly left: () => void;
  /** The first sequence number that is still there, when older ones were asked for. */
  readonly missing: number | undefined;
}

/** One reader at its own pace. A batch counts as read when the next one is asked for. */
class Reader implements AsyncIterableIterator<readonly ReinsEvent[]> {
  readBytes: number;
  readonly #options: ReaderOptions;
  #next: number;
  #taken: Batch | undefined;
  #done = false;
  #sleeper: PromiseWithResolvers<void> | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#next = options.next;
    this.readBytes = options.readBytes;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  wake(): void {
    this.#sleeper?.resolve();
    this.#sleeper = undefined;
  }

  async next(): Promise<IteratorResult<readonly ReinsEvent[]>> {
    const { missing, after } = this.#options;
    if (missing !== undefined && !this.#done) {
      this.#leave();
      throw new ReinsError("invalid_input", `Events ${after + 1} to ${missing} are no longer in memory.`, {
        help: "Start reading earlier, or read from a store.",
      });
    }
    if (this.#taken !== undefined) {
      this.readBytes = this.#taken.upTo;
      this.#taken = undefined;
      this.#options.moved(this.readBytes);
    }
    for (;;) {
      if (this.#done) return { value: undefined, done: true };
      const batch = this.#options.take(this.#next);
      if (batch !== undefined) {
        this.#next++;
        this.#taken = batch;
        const skip = after >= batch.firstSeq;
        return { value: skip ? batch.events.filter((event) => event.seq > after) : batch.events, done: false };
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

  #leave(): void {
    if (this.#done) return;
    this.#done = true;
    this.#options.left();
    this.wake();
  }
}

/** Deltas are nearly all of a long stream, so they are weighed without walking them; so is what every turn has and is always small. */
function weighEvent(event: ReinsEvent): number {
  if (event.raw !== undefined) return 250 + weigh(event);
  switch (event.type) {
    case "message.delta":
      return 300 + event.text.length;
    case "turn.phase":
      return 300;
    case "message.completed":
      return 300 + event.text.length + (event.content === undefined ? 0 : weigh(event.content));
    default:
      return 250 + weigh(event);
  }
}
