import { randomId } from "../../process/crypto.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Answer, ToolFilter } from "../contract.ts";
import { orEnd } from "./endings.ts";
import type { Outbox } from "./outbox.ts";

/** What a turn needs of its session. */
export interface TurnDesk {
  readonly outbox: Outbox;
  /** Who waits for which answer. */
  readonly waiting: Map<string, (answer: Answer) => void>;
}

/** One turn at work of an agent in this process, or the part of it that a subagent does. */
export class InProcessTurn<Desk extends TurnDesk> {
  readonly desk: Desk;
  readonly signal: AbortSignal;
  readonly filter: ToolFilter;
  /** The call of the subagent that is at work. */
  readonly parent: string | undefined;

  constructor(desk: Desk, signal: AbortSignal, filter: ToolFilter, parent?: string) {
    this.desk = desk;
    this.signal = signal;
    this.filter = filter;
    this.parent = parent;
  }

  newId(kind: string): string {
    return `${kind}_${randomId()}`;
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
    this.desk.outbox.push(this.parent === undefined ? event : { ...event, parent: this.parent });
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
