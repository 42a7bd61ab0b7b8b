/** The newest events of a session, for readers who keep up; older ones are in the file. */
import type { ReinsEvent } from "../events/types.ts";

/** About how many characters of events are kept. */
const most = 512 * 1024;

interface Batch {
  readonly events: readonly ReinsEvent[];
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly weight: number;
}

export class Tail {
  #batches: Batch[] = [];
  #weight = 0;

  get firstSeq(): number | undefined {
    return this.#batches[0]?.firstSeq;
  }

  add(events: readonly ReinsEvent[]): void {
    let weight = 0;
    for (const event of events) weight += weigh(event);
    this.#batches.push({ events, firstSeq: events[0]!.seq, lastSeq: events.at(-1)!.seq, weight });
    this.#weight += weight;
  }

  /** What is durable may go from here. In steps of a quarter, so that small batches do not pay for a copy of the list each time. */
  trim(): void {
    if (this.#weight < most * 1.25) return;
    let count = 0;
    while (this.#weight > most && count < this.#batches.length - 1) this.#weight -= this.#batches[count++]!.weight;
    this.#batches = this.#batches.slice(count);
  }

  /** The next events after this one; undefined when there are none yet, `earlier` when they are not here. */
  after(seq: number): readonly ReinsEvent[] | "earlier" | undefined {
    const last = this.#batches.at(-1);
    if (last === undefined || seq + 1 < this.#batches[0]!.firstSeq) return "earlier";
    if (seq >= last.lastSeq) return undefined;
    const { events, firstSeq } = seq + 1 >= last.firstSeq ? last : this.#find(seq + 1);
    return seq < firstSeq ? events : events.slice(seq - firstSeq + 1);
  }

  #find(seq: number): Batch {
    let low = 0;
    let high = this.#batches.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#batches[middle]!.lastSeq < seq) low = middle + 1;
      else high = middle;
    }
    return this.#batches[low]!;
  }
}

/** Roughly: nearly all of a long stream are deltas, and what is large in the rest is text. */
function weigh(event: ReinsEvent): number {
  switch (event.type) {
    case "message.delta":
    case "message.completed":
    case "thought.delta":
    case "thought.completed":
      return 300 + event.text.length;
    case "tool.completed":
      return 500 + event.output.text.length;
    case "tool.progress":
      return 400 + (event.output?.length ?? 0);
    default:
      return 2_000;
  }
}
