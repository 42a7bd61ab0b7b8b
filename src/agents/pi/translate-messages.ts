/**
 * Text and thinking. The pieces come block by block; the whole answer comes at its end, and only then is it known
 * whether it counts: a failed answer may be retried.
 */
import type { AgentEvent } from "../../events/types.ts";
import { isRecord, list, number, text, type JsonObject } from "../../protocols/json.ts";

type Kind = "message" | "thought";

interface Block {
  readonly kind: Kind;
  readonly messageId: string;
  said: string;
}

const nothing: readonly AgentEvent[] = Object.freeze([]);

export class Messages {
  readonly #prefix: string;
  #count = 0;
  /** Blocks of the streaming answer, or of one that failed, by index. */
  #open = new Map<number, Block>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The hot path: nearly every line of a stream is a piece of text. */
  piece(update: JsonObject): readonly AgentEvent[] {
    const kind = update["type"] === "text_delta" ? "message" : "thought";
    const said = update["delta"];
    if (typeof said !== "string" || said === "") return nothing;
    const place = number(update["contentIndex"]) ?? 0;
    let block = this.#open.get(place);
    if (block === undefined || block.kind !== kind) {
      const before = block === undefined ? nothing : [completed(block)];
      block = { kind, messageId: this.#nextId(), said };
      this.#open.set(place, block);
      return [...before, delta(block, said)];
    }
    block.said += said;
    return [delta(block, said)];
  }

  /** Takes the whole answer, which takes precedence over the streamed text. */
  ended(content: unknown): AgentEvent[] {
    const events = list(content).flatMap((part, place) => this.#whole(place, part));
    return [...events, ...this.settled()];
  }

  discarded(): AgentEvent[] {
    return this.#end((block) => ({ type: "message.discarded", messageId: block.messageId, reason: "retry" }));
  }

  settled(): AgentEvent[] {
    return this.#end(completed);
  }

  #whole(place: number, part: unknown): AgentEvent[] {
    if (!isRecord(part)) return [];
    const kind = part["type"] === "text" ? "message" : part["type"] === "thinking" ? "thought" : undefined;
    if (kind === undefined) return [];
    const said = text(part[kind === "message" ? "text" : "thinking"]) ?? "";
    const streamed = this.#open.get(place);
    this.#open.delete(place);
    if (streamed === undefined) return this.#unstreamed(kind, said);
    if (streamed.kind === kind && said.startsWith(streamed.said)) {
      const rest = said.slice(streamed.said.length);
      streamed.said = said;
      return rest === "" ? [completed(streamed)] : [delta(streamed, rest), completed(streamed)];
    }
    // An extension replaced the text.
    return [
      { type: "message.discarded", messageId: streamed.messageId, reason: "retry" },
      ...this.#unstreamed(kind, said),
    ];
  }

  #unstreamed(kind: Kind, said: string): AgentEvent[] {
    return said === "" ? [] : [completed({ kind, messageId: this.#nextId(), said })];
  }

  #end(how: (block: Block) => AgentEvent): AgentEvent[] {
    const events = [...this.#open.values()].map(how);
    this.#open.clear();
    return events;
  }

  #nextId(): string {
    return `${this.#prefix}m${++this.#count}`;
  }
}

function delta({ kind, messageId }: Block, text: string): AgentEvent {
  return { type: `${kind}.delta`, messageId, text };
}

function completed({ kind, messageId, said }: Block): AgentEvent {
  return { type: `${kind}.completed`, messageId, text: said };
}
