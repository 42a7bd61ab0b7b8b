/**
 * Text and thinking, from the pieces of a stream, from whole blocks, or from both. With partial messages every block
 * comes twice: in pieces, and whole in an `assistant` line that precedes the block's own end and does not contain its
 * index.
 */
import type { AgentEvent } from "../../events/types.ts";
import { isRecord, number, record, text, type JsonObject } from "../../protocols/json.ts";
import { nothing } from "../shared/translator-parts.ts";

type Kind = "message" | "thought";

interface Block {
  readonly index: number;
  readonly kind: Kind;
  readonly messageId: string;
  readonly parent: string | undefined;
  said: string;
  ended: boolean;
  /** Its whole text came in an `assistant` line. */
  whole: boolean;
}

/** An answer of the model while it streams. */
interface Stream {
  readonly apiId: unknown;
  readonly parent: string | undefined;
  readonly blocks: Block[];
  current: Block | undefined;
}

export class Streams {
  readonly #prefix: string;
  #count = 0;
  #streams: Stream[] = [];
  #last: Stream | undefined;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The hot path: nearly every line of a stream is a piece of text. A block may begin with one. */
  piece(message: JsonObject, { index, delta, content_block: started }: JsonObject): readonly AgentEvent[] {
    const { type, text: said, thinking } = record(delta ?? started);
    const stream = this.#streamOf(message);
    if (type === "text_delta" || type === "text") return this.#add(stream, index, "message", said);
    return type === "thinking_delta" || type === "thinking" ? this.#add(stream, index, "thought", thinking) : nothing;
  }

  /** A new answer of the same author: blocks of an earlier answer without a whole text were retried. */
  answerStarted(message: JsonObject, event: JsonObject): AgentEvent[] {
    const parent = text(message["parent_tool_use_id"]);
    const events = this.#drop((stream) => stream.parent === parent, discarded);
    const apiId = message["api_message_id"] ?? record(event["message"])["id"];
    this.#open(apiId, parent);
    return events;
  }

  answerStopped(message: JsonObject): AgentEvent[] {
    const stream = this.#find(message["api_message_id"], text(message["parent_tool_use_id"]));
    if (stream === undefined) return [];
    stream.current = undefined;
    // The agent reports which blocks are invalid, for example after an error in the middle of the stream.
    const { abandoned_blocks: abandoned } = message;
    const from = isRecord(abandoned) ? (number(abandoned["from_block_index"]) ?? 0) : Infinity;
    return stream.blocks.flatMap((block) => (block.index >= from ? discarded(block) : completed(block)));
  }

  whole(message: JsonObject, kind: Kind, said: string): readonly AgentEvent[] {
    const parent = text(message["parent_tool_use_id"]);
    const block = this.#streamed(record(message["message"])["id"], parent, kind, said);
    if (block !== undefined) {
      block.whole = true;
      // An interrupted answer may be reported shorter than the text already shown.
      const seen = message["aborted"] === true && block.said.startsWith(said);
      if (!seen) block.said = said;
      return completed(block);
    }
    if (said === "") return nothing;
    // This answer is not the one that streams, so that one was abandoned.
    const before = this.#blocks(parent, kind).flatMap(discarded);
    return [...before, { type: `${kind}.completed`, messageId: this.#nextId(), text: said, parent }];
  }

  /** The block with this text, or the first block of its answer without a whole text. A repeated line finds its own block again. */
  #streamed(apiId: unknown, parent: string | undefined, kind: Kind, said: string): Block | undefined {
    const all = this.#blocks(parent, kind);
    const own = this.#blocks(parent, kind, ({ apiId: id }) => id === apiId);
    const fits = (block: Block) => !block.whole && block.said === said;
    return (
      own.find(fits) ?? all.find(fits) ?? own.find((block) => !block.whole) ?? own.find((block) => block.said === said)
    );
  }

  unstreamed(said: unknown): AgentEvent[] {
    const whole = text(said);
    if (whole === undefined) return [];
    return [{ type: "message.completed", messageId: this.#nextId(), text: whole, parent: undefined }];
  }

  /** Discards unconfirmed blocks, because the agent retries the answer. */
  retried(): AgentEvent[] {
    return this.#drop(() => true, discarded);
  }

  ended(): AgentEvent[] {
    return this.#drop(() => true, completed);
  }

  #streamOf(message: JsonObject): Stream {
    const last = this.#last;
    const parent = message["parent_tool_use_id"] ?? undefined;
    if (last !== undefined && last.apiId === message["api_message_id"] && last.parent === parent) return last;
    return this.#find(message["api_message_id"], text(parent)) ?? this.#open(message["api_message_id"], text(parent));
  }

  #find(apiId: unknown, parent: string | undefined): Stream | undefined {
    const found = this.#streams.find(
      (stream) => stream.parent === parent && (stream.apiId === apiId || apiId === undefined),
    );
    if (found !== undefined) this.#last = found;
    return found;
  }

  #open(apiId: unknown, parent: string | undefined): Stream {
    const stream: Stream = { apiId, parent, blocks: [], current: undefined };
    this.#streams.push(stream);
    this.#last = stream;
    return stream;
  }

  #add(stream: Stream, index: unknown, kind: Kind, said: unknown): readonly AgentEvent[] {
    if (typeof said !== "string" || said === "") return nothing;
    const block = stream.current;
    if (block === undefined || block.index !== index || block.kind !== kind || block.ended) {
      return this.#begin(stream, number(index) ?? -1, kind, said);
    }
    block.said += said;
    return [delta(block, said)];
  }

  /** An author says one thing at a time, so an earlier open block of the same author ends here. */
  #begin(stream: Stream, index: number, kind: Kind, said: string): readonly AgentEvent[] {
    const same = stream.blocks.filter((known) => known.index === index && known.kind === kind);
    if (same.some((known) => known.whole)) return nothing;
    let block = same.find((known) => !known.ended);
    const before = this.#blocks(stream.parent, kind).flatMap((known) => (known === block ? [] : completed(known)));
    if (block === undefined) {
      block = { index, kind, messageId: this.#nextId(), parent: stream.parent, said: "", ended: false, whole: false };
      stream.blocks.push(block);
    }
    stream.current = block;
    block.said += said;
    return [...before, delta(block, said)];
  }

  #blocks(parent: string | undefined, kind: Kind, which: (stream: Stream) => boolean = () => true): Block[] {
    const streams = this.#streams.filter((stream) => stream.parent === parent && which(stream));
    return streams.flatMap(({ blocks }) => blocks.filter((block) => block.kind === kind));
  }

  #drop(which: (stream: Stream) => boolean, how: (block: Block) => AgentEvent[]): AgentEvent[] {
    const events = this.#streams.filter(which).flatMap(({ blocks }) => blocks.flatMap(how));
    this.#streams = this.#streams.filter((stream) => !which(stream));
    this.#last = undefined;
    return events;
  }

  #nextId(): string {
    return `${this.#prefix}m${++this.#count}`;
  }
}

function delta({ kind, messageId, parent }: Block, said: string): AgentEvent {
  return { type: `${kind}.delta`, messageId, text: said, parent };
}

function completed(block: Block): AgentEvent[] {
  if (block.ended) return [];
  block.ended = true;
  return [{ type: `${block.kind}.completed`, messageId: block.messageId, text: block.said, parent: block.parent }];
}

function discarded(block: Block): AgentEvent[] {
  if (block.ended) return [];
  block.ended = true;
  block.whole = true;
  return [{ type: "message.discarded", messageId: block.messageId, reason: "retry", parent: block.parent }];
}
