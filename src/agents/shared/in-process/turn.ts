/** A turn of an agent that runs in this process, or the part of it that a subagent does. */
import type { Mode } from "../../../events/modes.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { randomId } from "../../../process/crypto.ts";
import { AgentRequests, type FinalAnswer, type ParsedRequest } from "../../../protocols/requests.ts";
import type { Agent, AgentContext, OpenOptions, ToolFilter } from "../../contract.ts";
import { Background } from "./background.ts";
import { LocatedFiles } from "./located-files.ts";
import { Outbox } from "./outbox.ts";
import { orEnd } from "./stop-turn.ts";

interface WaitingRequest {
  readonly request: ParsedRequest;
  readonly answered: (answer: FinalAnswer) => void;
}

/** Shared by all turns of a session. */
export interface TurnContext {
  readonly agent: string;
  readonly host: AgentContext;
  readonly options: OpenOptions;
  readonly files: LocatedFiles;
  readonly outbox: Outbox;
  readonly requests: AgentRequests<WaitingRequest>;
  readonly background: Background;
  mode: Mode;
}

export function turnContext(
  { id: agent, name }: Pick<Agent, "id" | "name">,
  host: AgentContext,
  options: OpenOptions,
): TurnContext {
  return {
    agent,
    host,
    options,
    files: new LocatedFiles({ context: host, options }),
    outbox: new Outbox(),
    requests: new AgentRequests<WaitingRequest>({
      name,
      parse: ({ request }) => request,
      refuse: ({ request }) => request.kind,
      reply: (_request, answer, { answered }) => answered(answer),
    }),
    background: new Background(),
    mode: options.mode,
  };
}

export class InProcessTurn<Context extends TurnContext = TurnContext> {
  readonly context: Context;
  readonly signal: AbortSignal;
  readonly filter: ToolFilter;
  /** The call of the subagent that is running. */
  readonly parent: string | undefined;

  constructor(context: Context, signal: AbortSignal, filter: ToolFilter, parent?: string) {
    this.context = context;
    this.signal = signal;
    this.filter = filter;
    this.parent = parent;
  }

  /** The same turn, seen from inside a call. */
  under(callId: string, signal: AbortSignal = this.signal): this {
    const SameTurn = this.constructor as new (...parts: ConstructorParameters<typeof InProcessTurn<Context>>) => this;
    return new SameTurn(this.context, signal, this.filter, callId);
  }

  newId(kind: string): string {
    return `${kind}_${randomId()}`;
  }

  /** Emits an event. Returns a promise when the reader is behind. Throws when the turn was ended from outside. */
  emit(event: AgentEvent): Promise<void> | undefined {
    this.signal.throwIfAborted();
    this.close(event);
    const room = this.context.outbox.room();
    return room && orEnd(this.signal, room);
  }

  /** Emits the end of a call or task, even after the turn has ended. */
  close(event: AgentEvent): void {
    this.context.outbox.push(this.parent === undefined ? event : { ...event, parent: this.parent });
  }

  async request(request: ParsedRequest): Promise<FinalAnswer> {
    const { requests } = this.context;
    const { promise, resolve: answered } = Promise.withResolvers<FinalAnswer>();
    try {
      for (const event of requests.received({ request, answered })) await this.emit(event);
      return await orEnd(this.signal, promise);
    } finally {
      requests.withdrawn(request.id);
    }
  }
}
