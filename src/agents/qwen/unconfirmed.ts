/**
 * What an answer came to, until it is known to count. The program prints a whole answer and only then, in the next line, that it
 * asks the model again because the answer was not complete; what streamed of it is then taken back, and its tools never run.
 */
import type { AgentEvent } from "../../events/types.ts";
import { completed, discarded } from "./translate-stream.ts";
import type { Block } from "./translate-stream.ts";

type Item = (
  | { readonly block: Block }
  /** A tool that the model wants. */
  | { readonly call: () => AgentEvent[] }
  /** The end of a tool that did not run. */
  | { readonly skipped: () => AgentEvent[] }
) & {
  /** The native message, where it is to be kept. */
  readonly raw: unknown;
};

export class Unconfirmed {
  #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Something looks like a failure, and the next line says whether it is one. */
  get doubtful(): boolean {
    return this.#items.some((item) => "block" in item && item.block.failure !== undefined);
  }

  /** It counts. `failure` is what failed, where something did: it stands in the text too. */
  confirmed(failure?: string): AgentEvent[] {
    return this.#take((item) => {
      if ("block" in item) return completed(item.block, failure);
      return "call" in item ? item.call() : item.skipped();
    });
  }

  /** The model is asked again; where the text counts, only the tools are taken back. */
  takenBack(textCounts: boolean): AgentEvent[] {
    return this.#take((item) => {
      if (!("block" in item)) return [];
      return textCounts ? completed(item.block) : discarded(item.block);
    });
  }

  #take(eventsOf: (item: Item) => AgentEvent[]): AgentEvent[] {
    return this.#items.splice(0).flatMap((item) => {
      const events = eventsOf(item);
      return item.raw === undefined ? events : events.map((event) => ({ ...event, raw: item.raw }));
    });
  }
}
