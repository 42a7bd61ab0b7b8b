/** A session in the interface: its conversation, draft, folded blocks and scroll position. */
import type { Prompt, Session } from "../../core/api.ts";
import type { Mode } from "../../events/modes.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { CloudTarget } from "../../view/cloud.ts";
import { createConversation } from "../../view/conversation.ts";
import type { Conversation, PermissionItem, QuestionItem, TurnEntry } from "../../view/model.ts";
import { emptyEditor, type EditorState } from "../editor/index.ts";
import type { Line } from "../line.ts";
import { isReadingId, readingId, Transcript, type Block, type Look } from "../transcript/index.ts";
import type { Anchor, Unread } from "./viewport.ts";

/** Options chosen for a session that does not exist yet. */
export interface Choice {
  readonly agent?: string | undefined;
  readonly agentFile?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly fallback?: readonly string[] | undefined;
  /** The target of a cloud agent. */
  readonly remote?: CloudTarget | undefined;
}

export type SessionState = "new" | "loading" | "running" | "waiting" | "idle" | "failed";

const mostLocalBlocks = 100;
/** Entries whose blocks are built in one step, which takes 3 ms. */
const preparedAtOnce = 200;
let views = 0;

export class SessionView {
  readonly key = `view-${++views}`;
  readonly #builder = createConversation();
  readonly conversation: Conversation = this.#builder.conversation;
  readonly #transcript = new Transcript(this.conversation);
  #seqBefore = 0;
  readonly unfolded = new Set<string>();
  readonly cwd: string;
  /** The session while it is open here. */
  session: Session | undefined;
  /** Undefined until the session exists. */
  id: string | undefined;
  /** A state to resume that belongs to no stored session, such as that of a cloud agent. */
  resume: string | undefined;
  choice: Choice;
  title: string | undefined;
  editor: EditorState = emptyEditor;
  anchor: Anchor | undefined;
  unread: Unread | undefined;
  /** Prompts to send when the running turn is over. */
  queue: Prompt[] = [];
  /** Commands of the person that run (`!command`). Aborting one ends its process group. */
  readonly commands = new Set<AbortController>();
  /** Something the person has not seen: the session waits, or its turn ended. */
  news: "waits" | "ended" | undefined;
  loading = false;
  /** True while the agent starts. */
  starting = false;
  expandAll = false;
  /** The block that Up and Down have reached while browsing rows. */
  browsed: string | undefined;
  /** Requests that were answered here: the next letter belongs to the prompt, even if the agent has not continued yet. */
  readonly #answered = new Set<string>();
  /** Messages of the interface itself, such as answers to slash commands. They are not stored. */
  readonly #locals: Block[] = [];
  /** Those that the inline screen has not printed yet; the full screen prints none. */
  readonly #unprinted: Block[] = [];
  #localIds = 0;
  /** How much the inline screen has printed. */
  printed = { blocks: 0, lines: 0 };

  constructor(cwd: string, choice: Choice) {
    this.cwd = cwd;
    this.choice = choice;
  }

  /** Sequence number of the last applied event. */
  get lastSeq(): number {
    return this.conversation.lastSeq - this.#seqBefore;
  }

  /** Events now come from a new session that continues this conversation: their sequence numbers start again. */
  continueInNewLog(): void {
    this.#seqBefore = this.conversation.lastSeq;
  }

  apply(event: ReinsEvent): void {
    this.#builder.apply(this.#seqBefore === 0 ? event : { ...event, seq: event.seq + this.#seqBefore });
    this.title = this.conversation.title ?? this.title;
    // Rows that are being read must not move: a turn that ends meanwhile is folded once the view follows again.
    if (event.type === "turn.completed" && this.anchor !== undefined && event.turnId !== undefined)
      this.unfolded.add(readingId(event.turnId));
  }

  /** Folds the turns that ended while the view was scrolled up. */
  foldRead(): void {
    for (const id of this.unfolded) if (isReadingId(id)) this.unfolded.delete(id);
  }

  get agent(): string | undefined {
    return this.conversation.agent ?? this.session?.agent ?? this.choice.agent;
  }

  get mode(): Mode {
    // While no session is open, the next prompt opens one with these options.
    const chosen = this.session === undefined ? this.choice.mode : undefined;
    return chosen ?? this.conversation.mode ?? this.choice.mode ?? "ask";
  }

  get model(): string | undefined {
    return this.conversation.modelLabel ?? this.conversation.model ?? this.choice.model;
  }

  /** The running turn. */
  get turn(): TurnEntry | undefined {
    const last = this.conversation.entries.findLast((entry): entry is TurnEntry => entry.kind === "turn");
    return last?.end === undefined ? last : undefined;
  }

  get request(): PermissionItem | QuestionItem | undefined {
    if (this.session === undefined) return undefined;
    return this.conversation.waiting.find(({ requestId }) => !this.#answered.has(requestId));
  }

  /** Answers a request once. Throws when the request is no longer pending, or the agent cannot take the answer. */
  answer(requestId: string, answer: Parameters<Session["answer"]>[1]): void {
    if (this.session === undefined || this.#answered.has(requestId)) return;
    this.#answered.add(requestId);
    try {
      this.session.answer(requestId, answer);
    } catch (error) {
      this.#answered.delete(requestId);
      throw error;
    }
  }

  get state(): SessionState {
    if (this.loading) return "loading";
    if (this.request !== undefined) return "waiting";
    if (this.starting || (this.turn !== undefined && this.session !== undefined)) return "running";
    const last = this.conversation.entries.findLast((entry): entry is TurnEntry => entry.kind === "turn");
    if (last === undefined) return "new";
    return last.end?.outcome === "failed" ? "failed" : "idle";
  }

  /** True while a turn runs or waits for an answer. */
  get isBusy(): boolean {
    return this.state === "running" || this.state === "waiting";
  }

  /** The title, else the start of the first prompt. */
  get name(): string {
    if (this.title !== undefined) return this.title;
    const first = this.conversation.entries.find((entry): entry is TurnEntry => entry.kind === "turn");
    return first?.input?.text.trim().split("\n", 1)[0]?.slice(0, 80) || "New session";
  }

  /** Adds a message of the interface at the end. */
  say(lines: readonly Line[]): void {
    const id = `local:${++this.#localIds}`;
    const entry = this.conversation.entries.length;
    const text = lines.map((line) => line.source ?? line.text).join("\n");
    const block: Block = {
      ...{ id, kind: "box", foldable: false, settled: true },
      ...{ lines, settledLines: lines.length, text, entry },
    };
    for (const blocks of [this.#locals, this.#unprinted]) {
      blocks.push(block);
      if (blocks.length > mostLocalBlocks) blocks.shift();
    }
  }

  /** Takes the messages that the inline screen has still to print: those that come before this entry. */
  takeUnprinted(entry = Infinity): readonly Block[] {
    const later = this.#unprinted.findIndex((block) => block.entry > entry);
    return this.#unprinted.splice(0, later === -1 ? this.#unprinted.length : later);
  }

  /** See `Transcript`. With messages of the interface, returns all of `blocks`. */
  lastBlocks(look: Look, entries: number): ReturnType<Transcript["lastBlocks"]> {
    if (this.#locals.length > 0) return { blocks: this.blocks(look), isWhole: true };
    return this.#transcript.lastBlocks(look, entries);
  }

  /** Builds blocks of older entries in advance. Returns whether there are more. */
  prepareBlocks(look: Look): boolean {
    return this.#transcript.prepare(look, preparedAtOnce);
  }

  /** The conversation with the messages of the interface, each before the first entry that came after it. */
  blocks(look: Look): readonly Block[] {
    const blocks = this.#transcript.blocks(look);
    // The inline screen prints them by itself: see `takeUnprinted`.
    if (this.#locals.length === 0 || !look.foldTurns) return blocks;
    const merged: Block[] = [];
    let next = 0;
    for (const block of blocks) {
      for (; next < this.#locals.length && this.#locals[next]!.entry <= block.entry; next++)
        merged.push(this.#locals[next]!);
      merged.push(block);
    }
    return [...merged, ...this.#locals.slice(next)];
  }
}
