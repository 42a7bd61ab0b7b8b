import { clipText } from "../../events/clip.ts";
import type { Redactor, StreamRedactor } from "../../events/redact.ts";
import type { AgentEventOf, EventOf } from "../../events/types.ts";
import { keep, slimmed, type SaveBlob } from "./limit-content.ts";

type Kind = "message" | "thought";
type Said = AgentEventOf<"message.delta" | "message.completed" | "thought.delta" | "thought.completed">;
type Emitted = AgentEventOf<
  "message.delta" | "message.completed" | "message.discarded" | "thought.delta" | "thought.completed" | "notice"
>;

type Spoken = EventOf<Said["type"] | "message.discarded">;

interface OpenMessage {
  readonly id: string;
  readonly nativeId: string;
  readonly kind: Kind;
  readonly parent: string | undefined;
  readonly redact: StreamRedactor;
  /** The agent's text so far; cleared once the message is cut. */
  said: string;
  shown: string;
  shownBytes: number | undefined;
  /** Set once the message is cut: total bytes of the agent's text. */
  cutBytes: number | undefined;
  whole: string | undefined;
}

const longestWhole = 16 * 1024 * 1024;

/**
 * Enforces law 4: the deltas of a message add up to its text, every streamed message ends exactly once, and nothing
 * is repeated. Secrets split over deltas are held back, and longer messages are cut visibly.
 */
export class Messages {
  readonly #open = new Map<string, OpenMessage>();
  readonly #ended = new Set<string>();
  /** Text that an author had streamed under an id before it began another message. The id may continue as a new run. */
  readonly #interrupted = new Map<string, string>();
  readonly #used = new Set<string>();
  readonly #redact: Redactor;
  readonly #limit: number;
  readonly #put: SaveBlob | undefined;
  /** True while deltas are dropped: nobody reads them and the turn is being cancelled. */
  dropping = false;
  lastText = "";

  constructor(redact: Redactor, limit: number, put?: SaveBlob) {
    this.#redact = redact;
    this.#limit = limit;
    this.#put = put;
  }

  /** Restores events of an earlier process. A message that did not end is ended with what readers saw of it. */
  restore(event: Spoken): void {
    const { messageId, parent } = event;
    this.#used.add(messageId);
    if (event.type === "message.delta" || event.type === "thought.delta") {
      const kind = event.type === "message.delta" ? "message" : "thought";
      const open = this.#open.get(messageId) ?? this.#opened({ messageId, parent }, messageId, kind);
      open.shown += event.text;
      return;
    }
    this.#open.delete(messageId);
    if (event.type === "message.completed" && parent === undefined) this.lastText = event.text;
  }

  delta(event: AgentEventOf<"message.delta" | "thought.delta">, emit: (event: Emitted) => void): void {
    const kind = event.type === "message.delta" ? "message" : "thought";
    const open = this.#open.get(event.messageId) ?? this.#begin(event, kind, emit);
    if (open === undefined) return;
    this.#add(open, event.text, emit, event.raw);
  }

  completed(event: AgentEventOf<"message.completed" | "thought.completed">, emit: (event: Emitted) => void): void {
    const kind = event.type === "message.completed" ? "message" : "thought";
    const before = this.#interrupted.get(event.messageId);
    if (before !== undefined) {
      this.#interrupted.delete(event.messageId);
      const rest = event.text.startsWith(before) ? event.text.slice(before.length) : event.text;
      if (rest === "" && !this.#open.has(event.messageId)) return void this.#ended.add(event.messageId);
      return this.completed({ ...event, text: rest }, emit);
    }
    const open = this.#open.get(event.messageId) ?? this.#begin(event, kind, emit);
    if (open === undefined) return;
    if (open.cutBytes === undefined && open.said !== event.text) {
      if (event.text.startsWith(open.said)) {
        if (open.said !== "") this.#add(open, event.text.slice(open.said.length), emit);
        else this.#addWhole(open, event.text);
      } else {
        // The agent replaced what it streamed: readers remove it and get the whole text under a new id.
        this.#end(open);
        if (open.shown !== "")
          emit({ type: "message.discarded", messageId: open.id, reason: "retry", parent: open.parent });
        this.#ended.delete(open.nativeId);
        this.completed(event, emit);
        return;
      }
    }
    this.#complete(open, emit, event);
  }

  discarded(event: AgentEventOf<"message.discarded">, emit: (event: Emitted) => void): void {
    const open = this.#open.get(event.messageId);
    if (open === undefined) return;
    this.#end(open);
    if (open.shown !== "") emit({ ...event, messageId: open.id });
  }

  close(emit: (event: Emitted) => void): void {
    for (const open of this.#open.values()) this.#complete(open, emit, { synthetic: true });
    this.#ended.clear();
    this.#interrupted.clear();
    this.dropping = false;
  }

  #begin(event: Said, kind: Kind, emit: (event: Emitted) => void): OpenMessage | undefined {
    if (this.#ended.has(event.messageId)) return undefined;
    for (const other of this.#open.values()) {
      if (other.kind === kind && other.parent === event.parent) this.#interrupt(other, emit);
    }
    let id = event.messageId;
    while (this.#used.has(id)) id += "b";
    this.#used.add(id);
    return this.#opened(event, id, kind);
  }

  #opened({ messageId, parent }: Pick<Said, "messageId" | "parent">, id: string, kind: Kind): OpenMessage {
    const open: OpenMessage = {
      id,
      nativeId: messageId,
      kind,
      parent,
      redact: this.#redact.stream(),
      said: "",
      shown: "",
      shownBytes: undefined,
      cutBytes: undefined,
      whole: undefined,
    };
    this.#open.set(open.nativeId, open);
    return open;
  }

  #add(open: OpenMessage, text: string, emit: (event: Emitted) => void, raw?: unknown): void {
    if (open.cutBytes !== undefined) {
      open.cutBytes += Buffer.byteLength(text);
      if (open.whole !== undefined && open.whole.length < longestWhole) open.whole += text;
      return;
    }
    open.said += text;
    if (this.dropping) return this.#cut(open);
    const shown = open.redact.push(text);
    // A secret split over two pieces appears in neither. Native pieces are shown only when nothing was held back.
    this.#show(open, shown, emit, shown === text ? raw : undefined);
  }

  #show(open: OpenMessage, text: string, emit: (event: Emitted) => void, raw?: unknown): void {
    if (text === "") return;
    let piece = text;
    if ((open.shown.length + text.length) * 3 > this.#limit) {
      // Count bytes only when the limit may be near, and then each piece once.
      open.shownBytes ??= Buffer.byteLength(open.shown);
      const clipped = clipText(text, this.#limit - open.shownBytes);
      piece = clipped.text;
      open.shownBytes += clipped.kept;
      if (piece !== text) this.#cut(open);
    }
    if (piece === "") return;
    open.shown += piece;
    emit({
      type: open.kind === "message" ? "message.delta" : "thought.delta",
      messageId: open.id,
      text: piece,
      parent: open.parent,
      raw,
    });
  }

  /** A message that never streamed gets no deltas. */
  #addWhole(open: OpenMessage, text: string): void {
    const kept = keep(text, this.#limit, this.#redact);
    open.shown = kept.text;
    if (kept.whole) return;
    open.cutBytes = Buffer.byteLength(text);
    if (this.#put !== undefined) open.whole = text;
  }

  /** The author begins another message, which ends this run (law 4). */
  #interrupt(open: OpenMessage, emit: (event: Emitted) => void): void {
    const before = this.#interrupted.get(open.nativeId) ?? "";
    this.#interrupted.set(open.nativeId, before + open.said);
    this.#complete(open, emit, { synthetic: true });
    this.#ended.delete(open.nativeId);
  }

  #cut(open: OpenMessage): void {
    open.cutBytes = Buffer.byteLength(open.said);
    if (this.#put !== undefined) open.whole = open.said;
    open.said = "";
  }

  #complete(
    open: OpenMessage,
    emit: (event: Emitted) => void,
    event: Pick<Said, "synthetic" | "raw"> & { content?: unknown },
  ): void {
    if (open.cutBytes === undefined && open.said !== "") this.#show(open, open.redact.flush(), emit);
    this.#end(open);
    // An empty message is not reported.
    if (open.shown === "" && event.content === undefined) return;
    const type = open.kind === "message" ? "message.completed" : "thought.completed";
    const ended = {
      ...event,
      type,
      messageId: open.id,
      text: open.shown,
      parent: open.parent,
    } as AgentEventOf<"message.completed" | "thought.completed">;
    if (ended.type === "message.completed" && ended.content !== undefined)
      ended.content = slimmed(ended.content, this.#limit, this.#put);
    if (open.cutBytes !== undefined) {
      ended.bytes = open.cutBytes;
      ended.kept = Buffer.byteLength(open.shown);
      const ref = open.whole === undefined ? undefined : this.#put?.(this.#redact(open.whole));
      if (ref !== undefined && ended.type === "message.completed") ended.ref = ref;
      emit({
        type: "notice",
        level: "warning",
        code: "truncated",
        message: `A ${open.kind} of ${ended.bytes} bytes was cut to its first ${ended.kept}.`,
        parent: open.parent,
      });
    }
    emit(ended);
    if (open.kind === "message" && open.parent === undefined) this.lastText = open.shown;
  }

  #end(open: OpenMessage): void {
    this.#open.delete(open.nativeId);
    this.#ended.add(open.nativeId);
  }
}
