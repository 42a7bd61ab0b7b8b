import { randomUUID } from "node:crypto";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { AgentContext, Answer, OpenOptions, ToolFilter } from "../contract.ts";
import { orEnd } from "../shared/endings.ts";
import type { Outbox } from "../shared/outbox.ts";
import type { Tasks } from "./tasks.ts";

/** What all turns of a session share. */
export interface Desk {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly outbox: Outbox;
  readonly tasks: Tasks;
  /** Who waits for which answer. */
  readonly waiting: Map<string, (answer: Answer) => void>;
  /** The tools somebody allowed for the rest of the session. */
  readonly allowedAlways: Set<string>;
  mode: Mode;
  /** Of the whole conversation, also before it was resumed. */
  turns: number;
}

/** One turn at work, or the part of it that a subagent does. */
export class Turn {
  readonly desk: Desk;
  readonly signal: AbortSignal;
  readonly filter: ToolFilter;
  /** What was done, in a few words each; said at the end when nothing else was. */
  readonly notes: string[] = [];
  said = false;
  readonly #parent: string | undefined;

  constructor(desk: Desk, signal: AbortSignal, filter: ToolFilter, parent?: string) {
    this.desk = desk;
    this.signal = signal;
    this.filter = filter;
    this.#parent = parent;
  }

  /** The same turn, seen from inside a call. */
  under(callId: string): Turn {
    return new Turn(this.desk, this.signal, this.filter, callId);
  }

  /** What was done, as sentences. */
  get summary(): string {
    return this.notes.map((note) => `${note.replace(/\.$/, "")}.`).join(" ");
  }

  newId(kind: string): string {
    return `${kind}_${randomUUID()}`;
  }

  /** Says something; what it returns, if anything, is the wait for a reader. Throws when the turn was ended from outside. */
  emit(event: AgentEvent): Promise<void> | undefined {
    this.signal.throwIfAborted();
    this.close(event);
    const room = this.desk.outbox.room();
    return room && orEnd(this.signal, room);
  }

  /** Says the end of something, also when the turn is already over and nobody reads. */
  close(event: AgentEvent): void {
    this.desk.outbox.push(this.#parent === undefined ? event : { ...event, parent: this.#parent });
  }

  /** Says something that wants an answer, and waits for it. */
  async request(event: AgentEvent & { requestId: string }): Promise<Answer> {
    const answered = Promise.withResolvers<Answer>();
    this.desk.waiting.set(event.requestId, answered.resolve);
    try {
      await this.emit(event);
      return await orEnd(this.signal, answered.promise);
    } finally {
      this.desk.waiting.delete(event.requestId);
    }
  }
}
