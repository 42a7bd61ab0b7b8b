/**
 * Text and thinking, from the pieces of a stream, from whole blocks, or from both. With partial messages every block comes
 * twice: piece by piece, and whole in an `assistant` line that stands before the block's own end and does not say its index.
 */
import type { AgentEvent } from "../../events/types.ts";
import { isRecord, number, record, text } from "./translate-read.ts";
import type { Wire } from "./translate-read.ts";

type Kind = "message" | "thought";

interface Block {
  readonly index: number;
  readonly kind: Kind;
  /** Ours; given with the first piece that says something. */
  messageId: string | undefined;
  said: string;
  /** Its end was told. */
  ended: boolean;
  /** Its whole text came too. */
  whole: boolean;
}

/** One answer of the model while it streams. */
interface Stream {
  readonly apiId: unknown;
  readonly parent: string | undefined;
  readonly blocks: Block[];
  /** The block that streams now: nearly every piece is for it. */
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

  /** The hot path: nearly every line of a stream is a piece of text. */
  piece(message: Wire, event: Wire): AgentEvent | undefined {
    const delta = event["delta"] as Wire | undefined;
    if (typeof delta !== "object" || delta === null) return undefined;
    const stream = this.#streamOf(message);
    if (delta["type"] === "text_delta") return this.#add(stream, event["index"], "message", delta["text"]);
    if (delta["type"] === "thinking_delta") return this.#add(stream, event["index"], "thought", delta["thinking"]);
    return undefined;
  }

  blockStarted(message: Wire, event: Wire): AgentEvent | undefined {
    const block = record(event["content_block"]);
    const stream = this.#streamOf(message);
    if (block["type"] === "text") return this.#add(stream, event["index"], "message", block["text"]);
    if (block["type"] === "thinking") return this.#add(stream, event["index"], "thought", block["thinking"]);
    return undefined;
  }

  /** A new answer of the same author: what an earlier one left unconfirmed was tried again. */
  answerStarted(message: Wire, event: Wire): AgentEvent[] {
    const parent = text(message["parent_tool_use_id"]);
    const events = this.#drop((stream) => stream.parent === parent, discarded);
    const apiId = message["api_message_id"] ?? record(event["message"])["id"];
    this.#open(apiId, parent);
    return events;
  }

  answerStopped(message: Wire): AgentEvent[] {
    const stream = this.#find(message["api_message_id"], text(message["parent_tool_use_id"]));
    if (stream === undefined) return [];
    stream.current = undefined;
    // The agent says itself which blocks do not count, for instance after an error in the middle of the stream.
    const from = isRecord(message["abandoned_blocks"])
      ? number(message["abandoned_blocks"]["from_block_index"])
      : undefined;
    return endings(stream, (block) =>
      from !== undefined && block.index >= from ? discarded(stream, block) : completed(stream, block),
    );
  }

  /** A whole block of an `assistant` line: the end of what streamed, or all there is of it. */
  whole(message: Wire, kind: Kind, said: string): AgentEvent | undefined {
    const parent = text(message["parent_tool_use_id"]);
    const stream = this.#find(record(message["message"])["id"], parent);
    const open = stream?.blocks.filter((block) => block.kind === kind && !block.whole && block.said !== "") ?? [];
    const block = open.find((candidate) => candidate.said === said) ?? open[0];
    if (stream === undefined || block === undefined) {
      if (said === "") return undefined;
      return { type: `${kind}.completed`, messageId: this.#nextId(), text: said, parent };
    }
    block.whole = true;
    if (block.ended) return undefined;
    // An interrupted answer may be reported shorter than what was already shown.
    const seen = message["aborted"] === true && block.said.startsWith(said);
    return completed(stream, block, seen ? block.said : said);
  }

  /** A message that comes from nowhere else. */
  unstreamed(said: unknown): AgentEvent[] {
    const whole = text(said);
    return whole === undefined
      ? []
      : [{ type: "message.completed", messageId: this.#nextId(), text: whole, parent: undefined }];
  }

  /** The agent tries again by itself: what streamed and was never confirmed does not count. */
  retried(): AgentEvent[] {
    return this.#drop(() => true, discarded);
  }

  /** Nothing more comes: what streamed is all there is. */
  ended(): AgentEvent[] {
    return this.#drop(() => true, completed);
  }

  #streamOf(message: Wire): Stream {
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

  #add(stream: Stream, index: unknown, kind: Kind, said: unknown): AgentEvent | undefined {
    if (typeof said !== "string" || said === "") return undefined;
    let block = stream.current;
    if (block === undefined || block.index !== index || block.kind !== kind || block.ended)
      block = this.#blockOf(stream, index, kind);
    block.said += said;
    const messageId = (block.messageId ??= this.#nextId());
    return kind === "message"
      ? { type: "message.delta", messageId, text: said, parent: stream.parent }
      : { type: "thought.delta", messageId, text: said, parent: stream.parent };
  }

  #blockOf(stream: Stream, given: unknown, kind: Kind): Block {
    const index = number(given) ?? -1;
    let block = stream.blocks.find(
      (candidate) => candidate.index === index && candidate.kind === kind && !candidate.ended,
    );
    if (block === undefined) {
      block = { index, kind, messageId: undefined, said: "", ended: false, whole: false };
      stream.blocks.push(block);
    }
    stream.current = block;
    return block;
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

function endings(stream: Stream, how: (block: Block) => AgentEvent | undefined): AgentEvent[] {
  return stream.blocks.map(how).filter((event) => event !== undefined);
}

function completed(stream: Stream, block: Block, said: string = block.said): AgentEvent | undefined {
  if (block.ended || block.messageId === undefined) return undefined;
  block.ended = true;
  return { type: `${block.kind}.completed`, messageId: block.messageId, text: said, parent: stream.parent };
}

function discarded(stream: Stream, block: Block): AgentEvent | undefined {
  if (block.ended || block.messageId === undefined) return undefined;
  block.ended = true;
  block.whole = true;
  return { type: "message.discarded", messageId: block.messageId, reason: "retry", parent: stream.parent };
}
