/**
 * The events of one session for any number of readers, serialised to JSON once. The newest events are in memory; older ones are read from
 * the log. Each reader pulls its next frame, so that no reader waits for another.
 */
import type { EventBatch } from "../../core/log/event-batch.ts";
import type { EventType } from "../../events/types.ts";

export interface Frame {
  readonly json: string;
  readonly last: number;
}

/** Reads older events from the log, as lines of JSON. */
export type Earlier = (after: number, limit: number) => Promise<readonly string[]>;

/** Events within this time after a frame are grouped into one frame. */
const collectMs = 8;
/** Events that users wait for are sent at once. */
const awaited: ReadonlySet<EventType> = new Set(["turn.completed", "permission.requested", "question.requested"]);
const mostChars = 4 * 1024 * 1024;
const frameEvents = 1_000;
const frameChars = 512 * 1024;

export class Feed {
  readonly #earlier: Earlier;
  #lines: string[] = [];
  #chars = 0;
  /** The seq before `#lines[0]`. */
  #before: number;
  /** Readers may have events up to this seq. */
  #shown: number;
  #shownAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Immediate | undefined;
  #ended = false;
  #last = false;
  #wakes = 0;
  #newest: (Frame & { readonly after: number }) | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(lastSeq: number, earlier: Earlier) {
    this.#before = this.#shown = lastSeq;
    this.#earlier = earlier;
  }

  get lastSeq(): number {
    return this.#shown;
  }

  push(batch: EventBatch): void {
    const next = this.#before + this.#lines.length + 1;
    if (batch.lastSeq < next) return;
    // Events in between were written by another process and are in the log.
    if (batch.firstSeq > next) this.grown(batch.firstSeq - 1);
    const fresh = batch.after(next - 1);
    for (const line of fresh.linesWithRaw()) {
      this.#lines.push(line);
      this.#chars += line.length;
    }
    const waitMs = fresh.events.some(({ type }) => awaited.has(type))
      ? 0
      : this.#shownAt + collectMs - performance.now();
    // Together with other events of this tick.
    if (waitMs <= 0) this.#soon ??= setImmediate(() => this.#show());
    else this.#timer ??= setTimeout(() => this.#show(), waitMs);
  }

  /** Another process has appended to the log. */
  grown(lastSeq: number): void {
    if (lastSeq <= this.#shown) return;
    this.#lines = [];
    this.#chars = 0;
    this.#before = this.#shown = lastSeq;
    this.#wake();
  }

  /** The session was removed. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** No more events will come: readers get the remaining ones and end. */
  finish(): void {
    this.#last = true;
    this.#show();
  }

  async *frames(after: number, signal: AbortSignal): AsyncGenerator<Frame> {
    for (let at = after; !signal.aborted && !this.#ended;) {
      const seen = this.#wakes;
      const frame = await this.#next(at);
      if (frame === undefined && this.#last) return;
      if (frame === undefined) await this.#more(seen, signal);
      else {
        at = frame.last;
        yield frame;
      }
    }
  }

  #show(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#soon);
    this.#timer = this.#soon = undefined;
    this.#shownAt = performance.now();
    this.#shown = this.#before + this.#lines.length;
    // Trim in large steps, so that the list is not copied for each batch.
    if (this.#chars > mostChars * 1.25) this.#trim();
    this.#wake();
  }

  #trim(): void {
    let count = 0;
    while (this.#chars > mostChars) this.#chars -= this.#lines[count++]!.length;
    this.#lines = this.#lines.slice(count);
    this.#before += count;
  }

  #wake(): void {
    this.#wakes++;
    for (const wake of [...this.#waiting]) wake();
  }

  async #next(at: number): Promise<Frame | undefined> {
    if (at >= this.#shown) return undefined;
    // Readers that keep up share one frame.
    if (this.#newest?.after === at && this.#newest.last === this.#shown) return this.#newest;
    if (at >= this.#before)
      return (this.#newest = this.#frame(at, this.#lines.slice(at - this.#before, this.#shown - this.#before)));
    const lines = await this.#earlier(at, frameEvents);
    return lines.length === 0 ? undefined : this.#frame(at, lines);
  }

  #frame(after: number, lines: readonly string[]): Frame & { readonly after: number } {
    let count = 0;
    for (let chars = 0; count < lines.length && count < frameEvents && chars < frameChars; count++)
      chars += lines[count]!.length;
    return { after, json: `[${lines.slice(0, count).join(",")}]`, last: after + count };
  }

  #more(seen: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      if (signal.aborted || this.#wakes !== seen) return resolve();
      this.#waiting.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }
}
