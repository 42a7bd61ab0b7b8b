/**
 * The log without a store. Its size is bounded: the agent waits for the slowest reader, and the oldest events that
 * all have read are dropped.
 */
import { ReinsError } from "../../events/errors.ts";
import type { Limits } from "../../events/limits.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { EventBatch } from "./event-batch.ts";
import { BatchBuffer, LogReader, type LogSource } from "./log-reader.ts";
import type { Log, SessionLog } from "./types.ts";

type LogLimits = Pick<Limits, "waitingBytes" | "memoryLogBytes" | "unreadBytes">;

export function createMemoryLog(limits: LogLimits): Log {
  return { open: () => new MemorySessionLog(limits) };
}

class MemorySessionLog implements SessionLog, LogSource {
  readonly #limits: LogLimits;
  readonly #buffer = new BatchBuffer();
  readonly #readers = new Set<LogReader>();
  #readBytes = 0;
  #room: PromiseWithResolvers<void> | undefined;
  #onAck: ((seq: number) => void) | undefined;
  isEnded = false;
  acked = 0;

  constructor(limits: LogLimits) {
    this.#limits = limits;
  }

  append(batch: EventBatch): void {
    let bytes = 0;
    for (const event of batch.events) bytes += eventSize(event);
    this.#buffer.add(batch, bytes);
    this.acked = batch.lastSeq;
    for (const reader of this.#readers) reader.wake();
    this.#drop();
    if (this.#unread() > this.#limits.waitingBytes) this.#room ??= Promise.withResolvers();
    this.#onAck?.(this.acked);
  }

  room(): Promise<void> | undefined {
    return this.#room?.promise;
  }

  onAck(listener: (seq: number) => void): void {
    this.#onAck = listener;
  }

  end(): void {
    this.isEnded = true;
    for (const reader of this.#readers) reader.wake();
    this.#release();
  }

  read(after: number): LogReader {
    const reader = new LogReader(this, after, this.#buffer.bytesBefore(after));
    this.#readers.add(reader);
    return reader;
  }

  take(after: number): EventBatch | undefined {
    const { droppedSeq } = this.#buffer;
    if (after >= droppedSeq) return this.#buffer.after(after);
    throw new ReinsError("invalid_input", `Events ${after + 1} to ${droppedSeq} are no longer in memory.`, {
      help: "Start reading earlier, or read from a store.",
    });
  }

  moved({ readBytes }: LogReader): void {
    if (readBytes > this.#readBytes) this.#readBytes = readBytes;
    this.#caughtUp();
  }

  left(reader: LogReader): void {
    this.#readers.delete(reader);
    this.#caughtUp();
  }

  #unread(): number {
    const { written } = this.#buffer;
    return written - this.#leastRead(written);
  }

  #leastRead(atMost: number): number {
    let least = atMost;
    for (const reader of this.#readers)
      if (reader.readBytes < least && !reader.isBeyond(this.acked)) least = reader.readBytes;
    return least;
  }

  #caughtUp(): void {
    this.#drop();
    if (this.#room !== undefined && this.#unread() <= this.#limits.waitingBytes / 2) this.#release();
  }

  #release(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #drop(): void {
    const { memoryLogBytes, unreadBytes } = this.#limits;
    const { written, droppedBytes, lineBytes } = this.#buffer;
    const excess = written - droppedBytes + lineBytes - memoryLogBytes;
    const before = this.#leastRead(Math.max(this.#readBytes, written - unreadBytes));
    // Drop in steps of a quarter, so that a stream of small batches does not copy the list each time.
    if (Math.min(excess, before - droppedBytes) >= memoryLogBytes / 4) this.#buffer.drop(before, excess);
  }
}

/** Estimates the memory of an event. Deltas and small events, which make up most of a long stream, are not walked. */
function eventSize(event: ReinsEvent): number {
  if (event.raw !== undefined) return 250 + estimateSize(event);
  switch (event.type) {
    case "message.delta":
      return 300 + event.text.length;
    case "turn.phase":
      return 300;
    case "message.completed":
      return 300 + event.text.length + (event.content === undefined ? 0 : estimateSize(event.content));
    default:
      return 250 + estimateSize(event);
  }
}

function estimateSize(value: unknown): number {
  switch (typeof value) {
    case "string":
      return 24 + value.length;
    case "object": {
      if (value === null) return 8;
      let sum = 48;
      // Not for-in: V8 compiles it for the fields that it saw and discards the code with each event that has others.
      for (const one of Object.values(value)) sum += 16 + estimateSize(one);
      return sum;
    }
    default:
      return 8;
  }
}
