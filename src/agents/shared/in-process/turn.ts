/** One turn of an agent that works in this process, or the part of it that a subagent does. */
import type { Mode } from "../../../events/modes.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { randomId } from "../../../process/crypto.ts";
import type { AgentContext, Answer, OpenOptions, ToolFilter } from "../../contract.ts";
import { LocatedFiles } from "./located-files.ts";
import { Outbox } from "./outbox.ts";
import { orEnd } from "./stop-turn.ts";

/** Shared by all turns of a session. */
export interface TurnContext {
  /** Given to the agent by the core. */
  readonly host: AgentContext;
  readonly options: OpenOptions;
  readonly files: LocatedFiles;
  readonly outbox: Outbox;
  /** Requests that wait for an answer, by id. */
  readonly waiting: Map<string, (answer: Answer) => void>;
  mode: Mode;
}

export function turnContext(host: AgentContext, options: OpenOptions): TurnContext {
  const files = new LocatedFiles({ context: host, options });
  return { host, options, files, outbox: new Outbox(), waiting: new Map(), mode: options.mode };
}

export class InProcessTurn<Context extends TurnContext = TurnContext> {
  readonly context: Context;
  readonly signal: AbortSignal;
  readonly filter: ToolFilter;
  /** The call of the subagent that is at work. */
  readonly parent: string | undefined;

  constructor(context: Context, signal: AbortSignal, filter: ToolFilter, parent?: string) {
    this.context = context;
    this.signal = signal;
    this.filter = filter;
    this.parent = parent;
  }

  newId(kind: string): string {
    return `${kind}_${randomId()}`;
  }

  /** Emits an event. Returns a promise where the reader is behind. Throws when the turn was ended from outside. */
  emit(event: AgentEvent): Promise<void> | undefined {
    this.signal.throwIfAborted();
    this.close(event);
    const room = this.context.outbox.room();
    return room && orEnd(this.signal, room);
  }

  /** Emits the end of something, also when the turn is already over and nobody reads. */
  close(event: AgentEvent): void {
    this.context.outbox.push(this.parent === undefined ? event : { ...event, parent: this.parent });
  }

  /** Emits a request and waits for the answer. */
  async request(event: AgentEvent & { requestId: string }): Promise<Answer> {
    const answered = Promise.withResolvers<Answer>();
    this.context.waiting.set(event.requestId, answered.resolve);
    try {
      await this.emit(event);
      return await orEnd(this.signal, answered.promise);
    } finally {
      this.context.waiting.delete(event.requestId);
    }
  }
}
