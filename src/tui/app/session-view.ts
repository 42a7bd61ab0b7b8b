/** One session as the interface holds it: the conversation, the draft of its next prompt, what is folded, and where it is scrolled to. */
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

/** What was chosen for a session that does not exist yet. */
export interface Choice {
  readonly agent?: string | undefined;
  readonly agentFile?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly fallback?: readonly string[] | undefined;
  /** Where a cloud agent works. */
  readonly remote?: CloudTarget | undefined;
}

export type SessionState = "new" | "loading" | "running" | "waiting" | "idle" | "failed";

const mostLocalBlocks = 100;
/** Entries whose blocks are made in one step: 3 ms. */
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
  /** The id once it exists. */
  id: string | undefined;
  /** A state to resume from that is not of a kept session, such as that of a cloud agent. */
  resume: string | undefined;
  choice: Choice;
  title: string | undefined;
  editor: EditorState = emptyEditor;
  anchor: Anchor | undefined;
  unread: Unread | undefined;
  /** Prompts to send when the running turn is over. */
  queue: Prompt[] = [];
  /** Something happened that nobody has looked at: it waits, or it ended. */
  news: "waits" | "ended" | undefined;
  loading = false;
  /** Starting its agent. */
  starting = false;
  expandAll = false;
  /** The block that the keys up and down have reached, while rows are browsed. */
  browsed: string | undefined;
  /** Requests that were answered here: the next letter belongs to the prompt, although the agent has not gone on yet. */
  readonly #answered = new Set<string>();
  /** Messages of the interface itself, such as the answer to a slash command. They are not stored. */
  #locals: Block[] = [];
  #localIds = 0;
  /** How much of it the inline screen has printed. */
  printed = { blocks: 0, lines: 0 };

  constructor(cwd: string, choice: Choice) {
    this.cwd = cwd;
    this.choice = choice;
  }

  /** The last event of the session that was applied. */
  get lastSeq(): number {
    return this.conversation.lastSeq - this.#seqBefore;
  }

  /** From now on events are those of a new session that goes on from what is shown: its numbers begin anew. */
  continueInNewLog(): void {
    this.#seqBefore = this.conversation.lastSeq;
  }

  apply(event: ReinsEvent): void {
    this.#builder.apply(this.#seqBefore === 0 ? event : { ...event, seq: event.seq + this.#seqBefore });
    this.title = this.conversation.title ?? this.title;
    // Rows that somebody reads do not move: a turn that ends meanwhile is folded when the view follows again.
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
    // While no session is open, the choice is what the next prompt opens one with.
    const chosen = this.session === undefined ? this.choice.mode : undefined;
    return chosen ?? this.conversation.mode ?? this.choice.mode ?? "ask";
  }

  get model(): string | undefined {
    return this.conversation.modelLabel ?? this.conversation.model ?? this.choice.model;
  }

  /** The turn that runs. */
  get turn(): TurnEntry | undefined {
    const last = this.conversation.entries.findLast((entry): entry is TurnEntry => entry.kind === "turn");
    return last?.end === undefined ? last : undefined;
  }

  get request(): PermissionItem | QuestionItem | undefined {
    if (this.session === undefined) return undefined;
    return this.conversation.waiting.find(({ requestId }) => !this.#answered.has(requestId));
  }

  /** Answers a request once. Throws where nobody waits for the answer any more, or the agent cannot take it. */
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

  /** Whether a turn runs or waits for an answer. */
  get isBusy(): boolean {
    return this.state === "running" || this.state === "waiting";
  }

  /** The first words of the first prompt, where nobody gave it a title. */
  get name(): string {
    if (this.title !== undefined) return this.title;
    const first = this.conversation.entries.find((entry): entry is TurnEntry => entry.kind === "turn");
    return first?.input?.text.trim().split("\n", 1)[0]?.slice(0, 80) || "New session";
  }

  /** Adds a message of the interface at the end of what is there now. */
  say(lines: readonly Line[]): void {
    const id = `local:${++this.#localIds}`;
    const entry = this.conversation.entries.length;
    const text = lines.map((line) => line.source ?? line.text).join("\n");
    this.#locals.push({
      ...{ id, kind: "box", foldable: false, settled: true },
      ...{ lines, settledLines: lines.length, text, entry },
    });
    if (this.#locals.length > mostLocalBlocks) this.#locals.shift();
  }

  clearLocal(): void {
    this.#locals = [];
  }

  /** See `Transcript`. With messages of the interface it is the whole of `blocks`. */
  lastBlocks(look: Look, entries: number): ReturnType<Transcript["lastBlocks"]> {
    if (this.#locals.length > 0) return { blocks: this.blocks(look), isWhole: true };
    return this.#transcript.lastBlocks(look, entries);
  }

  /** Makes blocks of older entries that nobody has looked at yet. Says whether there are more. */
  prepareBlocks(look: Look): boolean {
    return this.#transcript.prepare(look, preparedAtOnce);
  }

  /** The conversation with the messages of the interface between: each before the first entry that came after it. */
  blocks(look: Look): readonly Block[] {
    const blocks = this.#transcript.blocks(look);
    // The inline screen prints them at once.
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
