import type { Session } from "../../../src/core/api.ts";
import type { ReinsEvent } from "../../../src/events/types.ts";

const deadline = 20_000;

/** Collects all events of one session as they come. */
export class Collected {
  readonly events: ReinsEvent[] = [];
  readonly done: Promise<void>;
  #waiters: { matches: (event: ReinsEvent) => boolean; resolve: (event: ReinsEvent) => void }[] = [];

  constructor(session: Session) {
    this.done = this.#collect(session);
  }

  /** Resolves with the first matching event, past or future. */
  when(matches: (event: ReinsEvent) => boolean): Promise<ReinsEvent> {
    const there = this.events.find(matches);
    if (there) return Promise.resolve(there);
    return new Promise((resolve, reject) => {
      const types = () => this.events.map((event) => event.type).join(", ");
      const timer = setTimeout(() => reject(new Error(`No such event in ${deadline} ms, only ${types()}.`)), deadline);
      const met = (event: ReinsEvent) => {
        clearTimeout(timer);
        resolve(event);
      };
      this.#waiters.push({ matches, resolve: met });
    });
  }

  async #collect(session: Session): Promise<void> {
    for await (const event of session.events()) {
      this.events.push(event);
      const met = this.#waiters.filter((waiter) => waiter.matches(event));
      this.#waiters = this.#waiters.filter((waiter) => !met.includes(waiter));
      for (const waiter of met) waiter.resolve(event);
    }
  }
}
