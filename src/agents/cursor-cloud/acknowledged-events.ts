/**
 * Queue of events for the reader, with the state up to the last event it has taken. The state is never ahead of the
 * reader, so a crash loses nothing.
 */
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import { Outbox } from "../shared/in-process/outbox.ts";
import type { Place } from "./state.ts";

export class AcknowledgedEvents implements AsyncIterable<readonly AgentEvent[]> {
  readonly #outbox = new Outbox();
  /** The position in the run before each of these events. */
  readonly #before = new WeakMap<AgentEvent, Place | undefined>();
  #last: Place | undefined;
  #started = false;
  /** The position in the run up to which the reader has all events. */
  place: Place | undefined;

  constructor(place: Place | undefined) {
    this.place = place;
    this.#last = place;
  }

  /** After a first prompt that failed, the next one only reports its new state. */
  start(event: Omit<AgentEventOf<"session.started">, "type">): void {
    if (!this.#started) this.push({ type: "session.started", ...event });
    else if (event.state !== undefined) this.push({ type: "session.updated", by: "agent", state: event.state });
    this.#started = true;
  }

  /** `before`: the position in the run until the reader has this event. */
  push(event: AgentEvent, before?: { readonly place: Place | undefined }): void {
    if (before !== undefined) this.#before.set(event, before.place);
    this.#outbox.push(event);
  }

  reached(place: Place | undefined): void {
    this.#last = place;
  }

  room(): Promise<void> | undefined {
    return this.#outbox.room();
  }

  end(): void {
    this.#outbox.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly AgentEvent[], void, void> {
    for await (const batch of this.#outbox) {
      let waiting: AgentEvent[] = [];
      for (const event of batch) {
        if (this.#before.has(event)) {
          if (waiting.length > 0) yield waiting;
          waiting = [];
          this.place = this.#before.get(event);
        }
        waiting.push(event);
      }
      yield waiting;
    }
    this.place = this.#last;
  }
}
