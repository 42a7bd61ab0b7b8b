/**
 * The log of one session in a store. Readers see an event once it is durable, and read at their own pace without
 * slowing the writer: a reader that is far behind reads from the file. When the file cannot be written, the session
 * continues in memory and reports it.
 */
import { EventBatch } from "../core/log/event-batch.ts";
import { BatchBuffer, LogReader, type LogSource } from "../core/log/log-reader.ts";
import type { SessionAbout, SessionLog } from "../core/log/types.ts";
import { ReinsError } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";
import { Bookkeeper } from "./bookkeeper.ts";
import type { Database } from "./database.ts";
import { eventOf } from "./rows.ts";
import { reasonOf } from "./sqlite.ts";
import type { Dirty, Writer } from "./writer.ts";

/** Number of events that a reader gets from the file at once. */
const pageEvents = 256;
/** Bytes of durable events kept in memory for readers that keep up. */
const tailBytes = 512 * 1024;
const eventBytes = 150;
const unwrittenBytes = 64 * 1024 * 1024;
/** Delay before writing is tried again after a failure. */
const againMs = 1_000;

/** Events that a person waits for are written at once. */
const urgent: ReadonlySet<ReinsEvent["type"]> = new Set([
  "permission.requested",
  "question.requested",
  "turn.completed",
]);

export interface StoredLogOptions {
  readonly db: Database;
  readonly writer: Writer;
  readonly id: string;
  readonly about: SessionAbout;
  readonly onEnd: () => void;
}

export class StoredLog implements SessionLog, LogSource, Dirty {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #id: string;
  readonly #about: SessionAbout;
  readonly #onEnd: () => void;
  readonly #book: Bookkeeper;
  readonly #tail = new BatchBuffer();
  readonly #readers = new Set<LogReader>();
  #waiting: ReinsEvent[] = [];
  #lines: string[] = [];
  #lineBytes = 0;
  /** How many of `#waiting` readers have already seen, because writing fails. */
  #shownEarly = 0;
  #failedAt: number | undefined;
  #hopeless = false;
  #onAck: ((seq: number) => void) | undefined;
  isEnded = false;
  acked = 0;

  constructor({ db, writer, id, about, onEnd }: StoredLogOptions) {
    this.#db = db;
    this.#writer = writer;
    this.#id = id;
    this.#about = about;
    this.#onEnd = onEnd;
    this.#book = new Bookkeeper(db, id, about);
  }

  append(batch: EventBatch): void {
    const lines = batch.lines();
    let hurry = false;
    for (let index = 0; index < lines.length; index++) {
      const event = batch.events[index]!;
      const line = lines[index]!;
      this.#waiting.push(event);
      this.#lines.push(line);
      this.#lineBytes += line.length;
      hurry ||= urgent.has(event.type);
    }
    if (this.#hopeless || (this.#failedAt !== undefined && performance.now() - this.#failedAt < againMs))
      this.#showEarly();
    else {
      this.#writer.add(this, lines.length);
      if (hurry) this.#writer.flush();
    }
  }

  /** The log never slows the agent down for the disk or for readers. */
  room(): undefined {
    return undefined;
  }

  onAck(listener: (seq: number) => void): void {
    this.#onAck = listener;
  }

  read(after: number): LogReader {
    const reader = new LogReader(this, after);
    this.#readers.add(reader);
    return reader;
  }

  left(reader: LogReader): void {
    this.#readers.delete(reader);
  }

  end(): void {
    if (this.isEnded) return;
    // Also write events that could not be written before.
    if (this.#waiting.length > 0) this.#writer.add(this, 0);
    this.#writer.flush();
    this.isEnded = true;
    for (const reader of this.#readers) reader.wake();
    this.#onEnd();
  }

  write(): void {
    if (this.#waiting.length > 0) this.#book.write(this.#waiting, this.#lines);
  }

  written(failure: unknown): void {
    if (failure !== undefined) return this.#failed(failure);
    if (this.#failedAt !== undefined) this.#say("The session is stored again, with everything since the failure.");
    this.#failedAt = undefined;
    const [events, lines] = [this.#waiting, this.#lines];
    const seen = this.#shownEarly;
    this.#clear();
    if (seen === 0) this.#show(events, lines);
    else this.#show(events.slice(seen), lines.slice(seen));
    this.#trim();
  }

  #failed(failure: unknown): void {
    this.#book.forget();
    if (this.#failedAt === undefined) this.#say(sentenceOf(failure));
    this.#failedAt = performance.now();
    if (failure instanceof ReinsError && failure.code === "session_busy") this.#hopeless = true;
    this.#showEarly();
  }

  /** Writing fails: readers see the events anyway, and they wait here for the next attempt. */
  #showEarly(): void {
    const [events, lines] = [this.#waiting.slice(this.#shownEarly), this.#lines.slice(this.#shownEarly)];
    this.#shownEarly = this.#waiting.length;
    // Give up when there is too much to write later, or when another process writes the session now.
    this.#hopeless ||= this.#lineBytes > unwrittenBytes;
    if (this.#hopeless) this.#clear();
    this.#show(events, lines);
  }

  #clear(): void {
    this.#waiting = [];
    this.#lines = [];
    this.#lineBytes = 0;
    this.#shownEarly = 0;
  }

  #show(events: readonly ReinsEvent[], lines: readonly string[]): void {
    if (events.length === 0) return;
    const batch = new EventBatch(events, lines);
    let bytes = eventBytes * lines.length;
    for (const line of lines) bytes += line.length;
    this.#tail.add(batch, bytes);
    if (this.#waiting.length === 0) this.#trim();
    this.acked = batch.lastSeq;
    for (const reader of this.#readers) reader.wake();
    this.#onAck?.(this.acked);
  }

  /** Drops durable events from memory, in steps of a quarter so that small batches do not copy the list each time. */
  #trim(): void {
    const { written, droppedBytes } = this.#tail;
    if (written - droppedBytes >= tailBytes * 1.25) this.#tail.drop(written - tailBytes);
  }

  take(after: number): EventBatch | undefined {
    const { firstSeq } = this.#tail;
    if (firstSeq !== undefined && after + 1 >= firstSeq) return this.#tail.after(after);
    const rows = this.#db.reading(() =>
      this.#db.rows<{ line: string }>(
        `SELECT line FROM events WHERE session = (SELECT number FROM sessions WHERE id = ?) AND seq > ?
         ORDER BY seq LIMIT ${pageEvents}`,
        [this.#id, after],
      ),
    );
    const lines = rows.map(({ line }) => line);
    if (lines.length > 0) return new EventBatch(lines.map(eventOf), lines);
    if (firstSeq === undefined) return undefined;
    throw new ReinsError("invalid_input", `Events after ${after} could not be stored and are no longer in memory.`);
  }

  /** Report asynchronously, because the listener may append events. */
  #say(message: string): void {
    queueMicrotask(() => this.#about.onTrouble?.(message));
  }
}

function sentenceOf(failure: unknown): string {
  if (failure instanceof ReinsError) return `${failure.message} The session continues in memory.`;
  return `The session cannot be stored, because ${reasonOf(failure)}. It continues in memory.`;
}
