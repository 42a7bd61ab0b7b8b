/** Events that were recorded together. They are serialised at most once: the store, the server and `--json` share the lines. */
import type { ReinsEvent } from "../../events/types.ts";

export class EventBatch {
  /** At least one event, ordered by `seq` without gaps. */
  readonly events: readonly ReinsEvent[];
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Size of the log up to and including this batch, in bytes; set by the log that keeps it. */
  upTo = 0;
  lineBytes = 0;
  /** Notified when `lineBytes` grows; set by the log that keeps the batch. */
  keeper: { grew(batch: EventBatch, bytes: number): void } | undefined;
  #lines: readonly string[] | undefined;
  #linesWithRaw: readonly string[] | undefined;

  constructor(events: readonly ReinsEvent[], lines?: readonly string[]) {
    this.events = events;
    this.firstSeq = events[0]!.seq;
    this.lastSeq = events.at(-1)!.seq;
    this.#lines = lines;
  }

  /** Each event as one line of JSON, without `raw`. */
  lines(): readonly string[] {
    return (this.#lines ??= this.#kept(this.events.map(eventLine)));
  }

  /** The lines with `raw`, for readers of a session that was opened with it. */
  linesWithRaw(): readonly string[] {
    const lines = this.lines();
    return (this.#linesWithRaw ??= this.events.some(({ raw }) => raw !== undefined)
      ? this.#kept(this.events.map((event, index) => (event.raw === undefined ? lines[index]! : JSON.stringify(event))))
      : lines);
  }

  after(seq: number): EventBatch {
    if (seq < this.firstSeq) return this;
    const skip = seq - this.firstSeq + 1;
    const rest = new EventBatch(this.events.slice(skip), this.#lines?.slice(skip));
    rest.upTo = this.upTo;
    return rest;
  }

  #kept(lines: readonly string[]): readonly string[] {
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    this.lineBytes += bytes;
    this.keeper?.grew(this, bytes);
    return lines;
  }
}

/** Serialises an event for storing and streaming, without the agent's own message (`raw`). */
export function eventLine(event: ReinsEvent): string {
  if (event.raw === undefined) return JSON.stringify(event);
  const { raw: _raw, ...rest } = event;
  return JSON.stringify(rest);
}

export interface ReadOptions {
  readonly after?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sessions of this process can be read in batches, so that readers need not serialise again. */
interface BatchedSession {
  batches(options: ReadOptions): AsyncGenerator<EventBatch>;
}

type EventSource = { events(options?: { after?: number; signal?: AbortSignal }): AsyncIterable<ReinsEvent> };

/** Yields a session's events in batches. For a session held elsewhere each event is its own batch. */
export function batchesOf(
  session: EventSource,
  options: { readonly after: number; readonly signal?: AbortSignal },
): AsyncGenerator<EventBatch> {
  return "batches" in session
    ? (session as unknown as BatchedSession).batches(options)
    : single(session.events(options));
}

async function* single(events: AsyncIterable<ReinsEvent>): AsyncGenerator<EventBatch> {
  for await (const event of events) yield new EventBatch([event]);
}
