/**
 * Text and thinking. With partial messages every block comes in pieces and then whole in an `assistant` line; each has
 * index 0. A failed request is a piece of text that begins with `[API Error: `; only the result tells whether it is
 * one.
 */
import type { AgentEvent } from "../../events/types.ts";
import { nothing } from "../shared/translator-parts.ts";

export type Kind = "message" | "thought";

export interface Block {
  readonly kind: Kind;
  readonly messageId: string;
  readonly parent: string | undefined;
  said: string;
  /** Not reported yet, because it may repeat text from before a cut. */
  held: string;
  /** The answer continues after a cut, and repetitions are not removed yet. */
  goesOn: boolean;
  /** The last piece, when it looks like a failure. */
  failure: string | undefined;
  /** A repetition was removed, so the whole line is not the text to report. */
  repeated: boolean;
}

const failureStart = /^\[API Error: |^Qwen OAuth (?:quota exceeded|free tier has been discontinued)/;

export class Streams {
  readonly #prefix: string;
  readonly #open = new Map<string | undefined, Block>();
  /** The last block of an author that ended without its whole line, which may come late. */
  readonly #overtaken = new Map<string | undefined, Block>();
  #count = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The hot path: nearly every line of a stream is a piece of text. */
  piece(kind: Kind, said: unknown, parent: string | undefined): readonly AgentEvent[] {
    if (typeof said !== "string" || said === "") return nothing;
    const current = this.#open.get(parent);
    if (current === undefined || current.kind !== kind) {
      if (current !== undefined) this.#overtaken.set(parent, current);
      const ended = this.#end(parent);
      const block = this.#block(kind, parent);
      this.#open.set(parent, block);
      return [...ended, ...this.#add(block, said)];
    }
    return this.#add(current, said);
  }

  /** Undefined when there is nothing to report. */
  whole(kind: Kind, said: string, parent: string | undefined): { block: Block; events: AgentEvent[] } | undefined {
    const current = this.#open.get(parent);
    if (current?.kind === kind) {
      this.#open.delete(parent);
      const events = this.#flush(current);
      // The whole text takes precedence, unless a repetition was removed from it.
      const told = current.said + (current.failure ?? "");
      if (!current.repeated && told !== said && failureStart.exec(said) === null) {
        current.said = said;
        current.failure = undefined;
      }
      return { block: current, events };
    }
    const before = this.#overtaken.get(parent);
    if (said === "" || (before?.kind === kind && before.said === said)) return undefined;
    const block = this.#block(kind, parent);
    if (failureStart.test(said)) block.failure = said;
    else block.said = said;
    return { block, events: [] };
  }

  goesOn(): void {
    const block = this.#open.get(undefined);
    if (block !== undefined) block.goesOn = block.said !== "";
  }

  /** Ends the streaming block without a whole line. */
  take(parent: string | undefined): { block: Block; events: AgentEvent[] } | undefined {
    const block = this.#open.get(parent);
    if (block === undefined) return undefined;
    this.#open.delete(parent);
    return { block, events: this.#flush(block) };
  }

  ended(): AgentEvent[] {
    this.#overtaken.clear();
    return [...this.#open.keys()].flatMap((parent) => this.#end(parent));
  }

  nextId(): string {
    return `${this.#prefix}m${++this.#count}`;
  }

  #end(parent: string | undefined): AgentEvent[] {
    const taken = this.take(parent);
    return taken === undefined ? [] : [...taken.events, ...completed(taken.block)];
  }

  #block(kind: Kind, parent: string | undefined): Block {
    const text = { said: "", held: "", goesOn: false, failure: undefined, repeated: false };
    return { kind, messageId: this.nextId(), parent, ...text };
  }

  #add(block: Block, said: string): readonly AgentEvent[] {
    if (block.kind === "message" && failureStart.test(said)) {
      const before = [...this.#flush(block), ...tell(block, block.failure ?? "")];
      block.failure = said;
      return before;
    }
    if (block.failure !== undefined) {
      // Something follows, so it was text of the model.
      said = block.failure + said;
      block.failure = undefined;
    }
    if (!block.goesOn) return tell(block, said);
    block.held += said;
    return this.#sort(block, false);
  }

  #sort(block: Block, isWhole: boolean): AgentEvent[] {
    const repeats = overlap(block.said, block.held, isWhole);
    if (repeats === undefined) return [];
    const rest = block.held.slice(repeats);
    block.held = "";
    block.goesOn = false;
    if (repeats > 0) block.repeated = true;
    return tell(block, rest);
  }

  #flush(block: Block): AgentEvent[] {
    return block.goesOn ? this.#sort(block, true) : [];
  }
}

function tell(block: Block, said: string): AgentEvent[] {
  if (said === "") return [];
  block.said += said;
  return [{ type: `${block.kind}.delta`, messageId: block.messageId, text: said, parent: block.parent }];
}

/** Text that looked like a failure counts, unless it equals `failure`. */
export function completed(block: Block, failure?: string): AgentEvent[] {
  const { kind, messageId, parent } = block;
  const said = block.failure === undefined || block.failure === failure ? block.said : block.said + block.failure;
  return said === "" ? [] : [{ type: `${kind}.completed`, messageId, text: said, parent }];
}

export function discarded({ messageId, parent, said }: Block): AgentEvent[] {
  return said === "" ? [] : [{ type: "message.discarded", messageId, reason: "retry", parent }];
}

type Item = ({ readonly block: Block } | { readonly call: () => AgentEvent[] }) & { readonly raw: unknown };

/**
 * The parts of an answer until they are confirmed. The program prints a whole answer, and reports only in the next line
 * that it asks the model again; then the text is discarded, and the calls never run.
 */
export class Unconfirmed {
  #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  /** True when a part looks like a failure, which the next line decides. */
  get doubtful(): boolean {
    return this.#items.some((item) => "block" in item && item.block.failure !== undefined);
  }

  /** `failure` is also part of the text. */
  confirmed(failure?: string): AgentEvent[] {
    return this.#take((item) => ("block" in item ? completed(item.block, failure) : item.call()));
  }

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

/** A shorter overlap is not a repetition. */
const shortest = 6;
const farthest = 4_000;

/**
 * How much of the beginning of `after` repeats the end of `before`: after a cut the model often repeats itself.
 * Undefined while this is undecided, because all of `after` occurs in `before`.
 */
export function overlap(before: string, after: string, isWhole: boolean): number | undefined {
  const tail = before.slice(-farthest);
  if (!isWhole && after.length < tail.length && tail.slice(0, -1).includes(after)) return undefined;
  const least = Math.min(shortest, before.length);
  for (let length = Math.min(tail.length, after.length); length >= least && length > 0; length--) {
    if (tail.endsWith(after.slice(0, length))) return length;
  }
  return 0;
}
