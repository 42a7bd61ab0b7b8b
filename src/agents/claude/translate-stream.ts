/**
 * Text and thinking, from the pieces of a stream, from whole blocks, or from both. With partial messages every block comes
 * twice: piece by piece, and whole in an `assistant` line that stands before the block's own end and does not say its index.
 */
import type { AgentEvent } from "../../events/types.ts";
import { isRecord, number, record, text } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";

type Kind = "message" | "thought";

interface Block {
  readonly index: number;
  readonly kind: Kind;
  readonly messageId: string;
  said: string;
  ended: boolean;
  /** Its whole text came in an `assistant` line. */
  whole: boolean;
}

/** One answer of the model while it streams. */
interface Stream {
  readonly apiId: unknown;
  readonly parent: string | undefined;
  readonly blocks: Block[];
  current: Block | undefined;
}

const nothing: readonly AgentEvent[] = Object.freeze([]);

export class Streams {
  readonly #prefix: string;
  #count = 0;
  #streams: Stream[] = [];
  #last: Stream | undefined;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The hot path: nearly every line of a stream is a piece of text. */
  piece(message: JsonObject, event: JsonObject): readonly AgentEvent[] {
    const delta = event["delta"] as JsonObject | undefined;
    if (typeof delta !== "object" || delta === null) return nothing;
    const stream = this.#streamOf(message);
    if (delta["type"] === "text_delta") return this.#add(stream, event["index"], "message", delta["text"]);
    if (delta["type"] === "thinking_delta") return this.#add(stream, event["index"], "thought", delta["thinking"]);
    return nothing;
  }

  blockStarted(message: JsonObject, event: JsonObject): readonly AgentEvent[] {
    const block = record(event["content_block"]);
    const stream = this.#streamOf(message);
    if (block["type"] === "text") return this.#add(stream, event["index"], "message", block["text"]);
    if (block["type"] === "thinking") return this.#add(stream, event["index"], "thought", block["thinking"]);
    return nothing;
  }

  /** A new answer of the same author: what an earlier one left unconfirmed was tried again. */
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
    // The agent reports which blocks do not count, for instance after an error in the middle of the stream.
    const { abandoned_blocks: abandoned } = message;
    const from = isRecord(abandoned) ? (number(abandoned["from_block_index"]) ?? 0) : Infinity;
    return endings(stream, (block) => (block.index >= from ? discarded(stream, block) : completed(stream, block)));
  }

  whole(message: JsonObject, kind: Kind, said: string): readonly AgentEvent[] {
    const parent = text(message["parent_tool_use_id"]);
    const found = this.#streamed(record(message["message"])["id"], parent, kind, said);
    if (found !== undefined) {
      const { stream, block } = found;
      block.whole = true;
      // An interrupted answer may be reported shorter than what was already shown.
      const seen = message["aborted"] === true && block.said.startsWith(said);
      if (!seen) block.said = said;
      const event = completed(stream, block);
      return event === undefined ? nothing : [event];
    }
    if (said === "") return nothing;
    // Another answer than the one that streams: that one was given up.
    const before = this.#endings(parent, (stream, block) =>
      block.kind === kind ? discarded(stream, block) : undefined,
    );
    return [...before, { type: `${kind}.completed`, messageId: this.#nextId(), text: said, parent }];
  }

  /** The block with this text, or the first of its answer without a whole text; a repeated line finds its own block again. */
  #streamed(
    apiId: unknown,
    parent: string | undefined,
    kind: Kind,
    said: string,
  ): { stream: Stream; block: Block } | undefined {
    const all = this.#streams.flatMap((stream) =>
      stream.parent === parent
        ? stream.blocks.filter((block) => block.kind === kind).map((block) => ({ stream, block }))
        : [],
    );
    const own = all.filter(({ stream }) => stream.apiId === apiId);
    const waits = ({ block }: { block: Block }) => !block.whole;
    const says = ({ block }: { block: Block }) => block.said === said;
    return (
      own.find((each) => waits(each) && says(each)) ??
      all.find((each) => waits(each) && says(each)) ??
      own.find(waits) ??
      own.find(says)
    );
  }

  unstreamed(said: unknown): AgentEvent[] {
    const whole = text(said);
    return whole === undefined
      ? []
      : [{ type: "message.completed", messageId: this.#nextId(), text: whole, parent: undefined }];
  }

  /** The agent tries again: unconfirmed blocks do not count. */
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
    return [delta(stream, block, said)];
  }

  /** An author says one thing at a time: an earlier block of the same author is over. */
  #begin(stream: Stream, index: number, kind: Kind, said: string): readonly AgentEvent[] {
    const same = stream.blocks.filter((known) => known.index === index && known.kind === kind);
    if (same.some((known) => known.whole)) return nothing;
    let block = same.find((known) => !known.ended);
    const before = this.#endings(stream.parent, (other, known) =>
      known.kind === kind && known !== block ? completed(other, known) : undefined,
    );
    if (block === undefined) {
      block = { index, kind, messageId: this.#nextId(), said: "", ended: false, whole: false };
      stream.blocks.push(block);
    }
    stream.current = block;
    block.said += said;
    return [...before, delta(stream, block, said)];
  }

  #endings(parent: string | undefined, how: (stream: Stream, block: Block) => AgentEvent | undefined): AgentEvent[] {
    const streams = this.#streams.filter((stream) => stream.parent === parent);
    return streams.flatMap((stream) => endings(stream, (block) => how(stream, block)));
  }

  #drop(
    which: (stream: Stream) => boolean,
    how: (stream: Stream, block: Block) => AgentEvent | undefined,
  ): AgentEvent[] {
    const events: AgentEvent[] = [];
    for (const stream of this.#streams)
      if (which(stream)) events.push(...endings(stream, (block) => how(stream, block)));
    this.#streams = this.#streams.filter((stream) => !which(stream));
    this.#last = undefined;
    return events;
  }

  #nextId(): string {
    return `${this.#prefix}m${++this.#count}`;
  }
}

function delta(stream: Stream, { kind, messageId }: Block, said: string): AgentEvent {
  return kind === "message"
    ? { type: "message.delta", messageId, text: said, parent: stream.parent }
    : { type: "thought.delta", messageId, text: said, parent: stream.parent };
}

function endings(stream: Stream, how: (block: Block) => AgentEvent | undefined): AgentEvent[] {
  return stream.blocks.map(how).filter((event) => event !== undefined);
}

function completed(stream: Stream, block: Block): AgentEvent | undefined {
  if (block.ended) return undefined;
  block.ended = true;
  return { type: `${block.kind}.completed`, messageId: block.messageId, text: block.said, parent: stream.parent };
}

function discarded(stream: Stream, block: Block): AgentEvent | undefined {
  if (block.ended) return undefined;
  block.ended = true;
  block.whole = true;
  return { type: "message.discarded", messageId: block.messageId, reason: "retry", parent: stream.parent };
}
