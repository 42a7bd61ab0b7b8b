import type { AgentEvent } from "../../../events/types.ts";

/** The turn pauses when more events than this wait for the reader. */
const maxEvents = 256;
const maxWeight = 1024 * 1024;

type Answered = (result: IteratorResult<readonly AgentEvent[], undefined>) => void;

/** Queue of events that were not read yet. It has one reader; a full outbox makes the turn wait. */
export class Outbox implements AsyncIterable<readonly AgentEvent[]> {
  #waiting: AgentEvent[] = [];
  #weight = 0;
  #ended = false;
  #reader: Answered | undefined;
  #waking = false;
  #roomMade: PromiseWithResolvers<void> | undefined;

  /** Accepts an event even when the outbox is full. A caller that can wait then awaits `room`. */
  push(event: AgentEvent): void {
    if (this.#ended) return;
    this.#waiting.push(event);
    this.#weight += weigh(event);
    this.#wakeReader();
  }

  /** Resolves when there is room again; undefined when there is room now. */
  room(): Promise<void> | undefined {
    if (this.#ended || (this.#waiting.length < maxEvents && this.#weight < maxWeight)) return undefined;
    this.#roomMade ??= Promise.withResolvers<void>();
    return this.#roomMade.promise;
  }

  /** Waiting events can still be read; later ones are dropped. */
  end(): void {
    this.#ended = true;
    this.#wakeReader();
    this.#makeRoom();
  }

  [Symbol.asyncIterator](): AsyncIterator<readonly AgentEvent[], undefined> {
    return { next: () => new Promise((resolve) => this.#ask(resolve)) };
  }

  #ask(answer: Answered): void {
    if (this.#waiting.length > 0) answer({ value: this.#take(), done: false });
    else if (this.#ended) answer({ value: undefined, done: true });
    else this.#reader = answer;
  }

  /** Events of one tick form one batch, because each batch has a cost for every reader. */
  #wakeReader(): void {
    if (this.#reader === undefined || this.#waking) return;
    this.#waking = true;
    process.nextTick(() => {
      this.#waking = false;
      const reader = this.#reader!;
      this.#reader = undefined;
      this.#ask(reader);
    });
  }

  #take(): readonly AgentEvent[] {
    const batch = this.#waiting;
    this.#waiting = [];
    this.#weight = 0;
    this.#makeRoom();
    return batch;
  }

  #makeRoom(): void {
    if (this.#roomMade === undefined) return;
    // Deferred: a fast reader and a fast turn would otherwise starve timers and signals.
    setImmediate((made) => made.resolve(), this.#roomMade);
    this.#roomMade = undefined;
  }
}

function weigh(event: AgentEvent): number {
  if ("text" in event) return event.text.length;
  if (event.type === "tool.progress") return event.output?.length ?? 0;
  return event.type === "tool.completed" ? event.output.text.length : 0;
}
