/** Events on their way to the reader, and the state of what it has taken: the state is never ahead, so a crash loses nothing. */
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import { Outbox } from "../shared/in-process/outbox.ts";
import type { Place } from "./state.ts";

export class AcknowledgedEvents implements AsyncIterable<readonly AgentEvent[]> {
  readonly #outbox = new Outbox();
  /** Where the run is before each of these is told. */
  readonly #before = new WeakMap<AgentEvent, Place | undefined>();
  #last: Place | undefined;
  #started = false;
  /** Of what the reader has. */
  place: Place | undefined;

  constructor(place: Place | undefined) {
    this.place = place;
    this.#last = place;
  }

  /** The first words of a session. After a first prompt that came to nothing they are not said again, only the state that is another now. */
  start(event: Omit<AgentEventOf<"session.started">, "type">): void {
    if (!this.#started) this.push({ type: "session.started", ...event });
    else if (event.state !== undefined) this.push({ type: "session.updated", by: "agent", state: event.state });
    this.#started = true;
  }

  /** `before` is where the run is until this was told. */
  push(event: AgentEvent, before?: { readonly place: Place | undefined }): void {
    if (before !== undefined) this.#before.set(event, before.place);
    this.#outbox.push(event);
  }

  /** Everything up to here is on its way to the reader. */
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
