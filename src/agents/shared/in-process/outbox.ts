import type { AgentEvent } from "../../../events/types.ts";

/** How much may wait for the reader before the turn pauses. */
const maxEvents = 256;
const maxWeight = 1024 * 1024;

type Answered = (result: IteratorResult<readonly AgentEvent[], undefined>) => void;

/** What the agent said and nobody has read yet. One reader; a full outbox makes the turn wait, so it never grows. */
export class Outbox implements AsyncIterable<readonly AgentEvent[]> {
  #waiting: AgentEvent[] = [];
  #weight = 0;
  #ended = false;
  #reader: Answered | undefined;
  #waking = false;
  #roomMade: PromiseWithResolvers<void> | undefined;

  /** Takes an event whatever waits already; who can wait, asks for `room` after it. */
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

  /** What waits is still read; nothing more comes. */
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

  /** What is said in one go is read in one go: each batch costs everybody up to the last reader. */
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
    // Not at once: a fast reader and a fast turn would hand on to each other and let no timer or signal in between.
    setImmediate((made) => made.resolve(), this.#roomMade);
    this.#roomMade = undefined;
  }
}

function weigh(event: AgentEvent): number {
  switch (event.type) {
    case "message.delta":
    case "thought.delta":
    case "message.completed":
    case "thought.completed":
      return event.text.length;
    case "tool.progress":
      return event.output?.length ?? 0;
    case "tool.completed":
      return event.output.text.length;
    default:
      return 0;
  }
}
