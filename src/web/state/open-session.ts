/** One session that the page shows: its events folded into a conversation as they come. */
import type { ReinsEvent } from "../../events/types.ts";
import type { Conversation } from "../../view/model.ts";
import { createConversation } from "../../view/conversation.ts";
import type { ConversationBuilder } from "../../view/conversation.ts";
import { NextFrame } from "./frames.ts";
import { createStore } from "./store.ts";
import type { Store } from "./store.ts";

/** Made anew with each frame in which something changed; the conversation in it is always the same, and grows. */
export interface SessionView {
  readonly id: string;
  readonly conversation: Conversation;
  /** Counts the changes. */
  readonly version: number;
  /** All that there was when it was opened is here. */
  readonly caughtUp: boolean;
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

export type EventListener = (event: ReinsEvent) => void;

export class OpenSession {
  readonly id: string;
  readonly store: Store<SessionView>;
  #builder: ConversationBuilder = createConversation();
  #error: SessionView["error"];
  #caughtUp = false;
  #expected: number | undefined;
  readonly #listeners = new Set<EventListener>();
  readonly #frame = new NextFrame(() => this.#show());

  constructor(id: string) {
    this.id = id;
    this.store = createStore(this.#view(0));
  }

  get lastSeq(): number {
    return this.#builder.conversation.lastSeq;
  }

  take(events: readonly ReinsEvent[]): void {
    const live = this.#caughtUp;
    for (const event of events) {
      if (event.seq <= this.lastSeq) continue;
      this.#builder.apply(event);
      if (live) for (const listener of this.#listeners) listener(event);
    }
    this.#error = undefined;
    this.#look();
    this.#frame.ask();
  }

  /** How many events there are, so far as is known: until they are here nothing is drawn, so that it is drawn once. */
  expect(lastSeq: number): void {
    this.#expected = lastSeq;
    this.#look();
    this.#frame.ask();
  }

  fail(error: NonNullable<SessionView["error"]>): void {
    this.#error = error;
    this.#frame.ask();
  }

  /** The log is another one than was read: from the beginning. */
  restart(): void {
    this.#builder = createConversation();
    this.#caughtUp = false;
    this.#frame.ask();
  }

  /** Only of what comes while it is shown. */
  onEvent(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #look(): void {
    if (this.#expected !== undefined && this.lastSeq >= this.#expected) this.#caughtUp = true;
  }

  #show(): void {
    this.store.set(this.#view(this.store.get().version + 1));
  }

  #view(version: number): SessionView {
    const { id } = this;
    return {
      id,
      conversation: this.#builder.conversation,
      version,
      caughtUp: this.#caughtUp,
      error: this.#error,
    };
  }
}
