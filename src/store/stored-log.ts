/**
 * The log of one session in a store. Readers see an event once it is durable, read at their own pace and are never waited for: one
 * that is far behind reads from the file. Where the file cannot be written, the session goes on in memory, and says so.
 */
import type { SessionAbout, SessionLog } from "../core/log.ts";
import { ReinsError } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";
import { Bookkeeper } from "./bookkeeper.ts";
import type { Database } from "./database.ts";
import { eventOf, lineOf } from "./line.ts";
import { LogReader } from "./log-reader.ts";
import { Tail } from "./tail.ts";
import { reasonOf } from "./trouble.ts";
import type { Dirty, Writer } from "./writer.ts";

/** How many events a reader gets out of the file at once. */
const pageEvents = 256;
/** How much that could not be written is kept in memory. */
const unwrittenBytes = 64 * 1024 * 1024;
/** How long after a failure the next attempt is made. */
const againMs = 1_000;

/** What a person waits for is durable at once. */
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

export class StoredLog implements SessionLog, Dirty {
  readonly #db: Database;
  readonly #writer: Writer;
  readonly #id: string;
  readonly #about: SessionAbout;
  readonly #onEnd: () => void;
  readonly #book: Bookkeeper;
  readonly #tail = new Tail();
  readonly #readers = new Set<LogReader>();
  /** Not yet durable. */
  #waiting: ReinsEvent[] = [];
  #lines: string[] = [];
  #lineBytes = 0;
  /** How many of those readers have seen nevertheless, because writing fails. */
  #shownEarly = 0;
  #failedAt: number | undefined;
  #hopeless = false;
  #ended = false;

  constructor({ db, writer, id, about, onEnd }: StoredLogOptions) {
    this.#db = db;
    this.#writer = writer;
    this.#id = id;
    this.#about = about;
    this.#onEnd = onEnd;
    this.#book = new Bookkeeper(db, id, about);
  }

  append(events: readonly ReinsEvent[]): undefined {
    if (events.length === 0) return undefined;
    let hurry = false;
    for (const event of events) {
      const line = lineOf(event);
      this.#waiting.push(event);
      this.#lines.push(line);
      this.#lineBytes += line.length;
      hurry ||= urgent.has(event.type);
    }
    if (this.#hopeless || (this.#failedAt !== undefined && performance.now() - this.#failedAt < againMs)) this.#show();
    else {
      this.#writer.add(this, events.length);
      if (hurry) this.#writer.flush();
    }
    return undefined;
  }

  read(after: number): AsyncIterableIterator<readonly ReinsEvent[]> {
    const reader: LogReader = new LogReader({
      after,
      take: (seq) => this.#take(seq),
      ended: () => this.#ended,
      left: () => this.#readers.delete(reader),
    });
    this.#readers.add(reader);
    return reader;
  }

  end(): void {
    if (this.#ended) return;
    // Also what could not be written before.
    if (this.#waiting.length > 0) this.#writer.add(this, 0);
    this.#writer.flush();
    this.#ended = true;
    for (const reader of this.#readers) reader.wake();
    this.#onEnd();
  }

  write(): void {
    if (this.#waiting.length > 0) this.#book.write(this.#waiting, this.#lines);
  }

  written(failure: unknown): void {
    if (failure !== undefined) return this.#failed(failure);
    if (this.#failedAt !== undefined) this.#say("The session is kept again, with all that happened meanwhile.");
    this.#failedAt = undefined;
    this.#show();
    this.#waiting = [];
    this.#lines = [];
    this.#lineBytes = 0;
    this.#shownEarly = 0;
    this.#tail.trim();
  }

  #failed(failure: unknown): void {
    this.#book.forget();
    if (this.#failedAt === undefined) this.#say(sentenceOf(failure));
    this.#failedAt = performance.now();
    this.#show();
    if (failure instanceof ReinsError && failure.code === "session_busy") this.#giveUp();
  }

  /** Those that wait are for the readers. */
  #show(): void {
    const fresh = this.#shownEarly === 0 ? this.#waiting : this.#waiting.slice(this.#shownEarly);
    this.#shownEarly = this.#waiting.length;
    if (fresh.length > 0) this.#tail.add(fresh);
    if (this.#lineBytes > unwrittenBytes) this.#giveUp();
    for (const reader of this.#readers) reader.wake();
  }

  /** There is too much of it to be written later, or another process writes the session now. */
  #giveUp(): void {
    this.#hopeless = true;
    this.#waiting = [];
    this.#lines = [];
    this.#lineBytes = 0;
    this.#shownEarly = 0;
    this.#tail.trim();
  }

  #take(after: number): readonly ReinsEvent[] | undefined {
    const known = this.#tail.after(after);
    if (known !== "earlier") return known;
    const rows = this.#db.reading(() =>
      this.#db
        .sql(
          `SELECT line FROM events WHERE session = (SELECT number FROM sessions WHERE id = ?) AND seq > ?
           ORDER BY seq LIMIT ${pageEvents}`,
        )
        .all(this.#id, after),
    ) as unknown as { line: string }[];
    if (rows.length > 0) return rows.map(({ line }) => eventOf(line));
    if (this.#tail.firstSeq === undefined) return undefined;
    throw new ReinsError("invalid_input", `Events after ${after} could not be kept and are no longer in memory.`);
  }

  /** Not from within: whoever hears it may append. */
  #say(message: string): void {
    queueMicrotask(() => this.#about.onTrouble?.(message));
  }
}

function sentenceOf(failure: unknown): string {
  if (failure instanceof ReinsError) return `${failure.message} The session goes on in memory.`;
  return `The session cannot be kept, because ${reasonOf(failure)}; it goes on in memory.`;
}
