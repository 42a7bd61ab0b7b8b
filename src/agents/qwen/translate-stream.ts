/**
 * Text and thinking, from the pieces of a stream, from whole blocks, or from both: with partial messages every block comes twice,
 * piece by piece and then whole in an `assistant` line of its own. Each block has index 0.
 *
 * A failed request stands in the text, as a piece that begins with `[API Error: `; whether it is one, only the result tells.
 */
import type { AgentEvent } from "../../events/types.ts";

export type Kind = "message" | "thought";

/** A run of text while it streams. */
export interface Block {
  readonly kind: Kind;
  readonly messageId: string;
  readonly parent: string | undefined;
  /** What was told. */
  said: string;
  /** What came and was not told: it may repeat what was said before a cut. */
  held: string;
  /** The answer goes on after a cut, and this is not sorted out yet. */
  goesOn: boolean;
  /** The last piece, where it looks like a failure: it may be no text at all. */
  failure: string | undefined;
  /** Nothing of its whole line is to be told: what was held of it was a repetition. */
  repeated: boolean;
}

const failureStart = /^\[API Error: |^Qwen OAuth (?:quota exceeded|free tier has been discontinued)/;
const nothing: readonly AgentEvent[] = Object.freeze([]);

export class Streams {
  readonly #prefix: string;
  readonly #open = new Map<string | undefined, Block>();
  /** The last run of an author that ended without its whole line: should that come late, all of it was told. */
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
      return [...ended, ...this.#add(this.#begin(kind, parent), said)];
    }
    return this.#add(current, said);
  }

  /** Its whole line came: what streamed is over, or all of it is here. Undefined where it says nothing. */
  whole(kind: Kind, said: string, parent: string | undefined): { block: Block; events: AgentEvent[] } | undefined {
    const current = this.#open.get(parent);
    if (current?.kind === kind) {
      this.#open.delete(parent);
      const events = this.#flush(current);
      // Damaged or not, the whole is the last word, unless some of it was not to be told.
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

  /** The connection was cut and the model is asked to go on. */
  goesOn(): void {
    const block = this.#open.get(undefined);
    if (block !== undefined) block.goesOn = block.said !== "";
  }

  /** What streams now and has no whole line. */
  take(parent: string | undefined): { block: Block; events: AgentEvent[] } | undefined {
    const block = this.#open.get(parent);
    if (block === undefined) return undefined;
    this.#open.delete(parent);
    return { block, events: this.#flush(block) };
  }

  /** Nothing more comes of anybody. */
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
    return {
      kind,
      messageId: this.nextId(),
      parent,
      said: "",
      held: "",
      goesOn: false,
      failure: undefined,
      repeated: false,
    };
  }

  #begin(kind: Kind, parent: string | undefined): Block {
    const block = this.#block(kind, parent);
    this.#open.set(parent, block);
    return block;
  }

  #add(block: Block, said: string): readonly AgentEvent[] {
    if (block.kind === "message" && failureStart.test(said)) {
      const before = [...this.#flush(block), ...tell(block, block.failure ?? "")];
      block.failure = said;
      return before;
    }
    if (block.failure !== undefined) {
      // Something follows: those were the model's own words.
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

/** Its end; what looked like a failure was text after all, unless it is one. */
export function completed(block: Block, failure?: string): AgentEvent[] {
  const { kind, messageId, parent } = block;
  const said = block.failure === undefined || block.failure === failure ? block.said : block.said + block.failure;
  return said === "" ? [] : [{ type: `${kind}.completed`, messageId, text: said, parent }];
}

/** It does not count: the model was asked again. */
export function discarded({ messageId, parent, said }: Block): AgentEvent[] {
  return said === "" ? [] : [{ type: "message.discarded", messageId, reason: "retry", parent }];
}

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

/**
 * The parts of an answer until it is known to count. The program prints a whole answer and only then, in the next line, that it
 * asks the model again because the answer was not complete; what streamed of it is then taken back, and its tools never run.
 */
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

/** Nothing shorter is taken for a repetition. */
const shortest = 6;
/** How far back a repetition is looked for. */
const farthest = 4_000;

/**
 * How much of the beginning of `after` repeats the end of `before`: where an answer goes on after a cut, the model often says some of it
 * again, and the program prints that. Undefined while it cannot be known yet, because all of `after` stands somewhere in `before`.
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
