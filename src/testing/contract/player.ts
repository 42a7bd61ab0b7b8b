/** A session of a scenario: sends plays to it and keeps all its events. */
import type { Session, Turn, TurnOptions, TurnResult } from "../../core/api.ts";
import type { Attachment } from "../../agents/contract.ts";
import type { EventOf, EventType, ReinsEvent } from "../../events/types.ts";
import { Waiters } from "../waiters.ts";
import { ContractFailure } from "./check.ts";
import type { Play } from "./types.ts";

export interface PlayOptions extends TurnOptions {
  readonly attachments?: readonly Attachment[];
}

export interface Played {
  readonly result: TurnResult;
  readonly events: readonly ReinsEvent[];
}

export class Player {
  readonly session: Session;
  readonly events: ReinsEvent[] = [];
  /** Settles when the session is closed. */
  readonly over: Promise<void>;
  readonly #prompt: (play: Play) => string;
  readonly #deadlineMs: number;
  readonly #waiters = new Waiters<ReinsEvent>();

  constructor(session: Session, prompt: (play: Play) => string, deadlineMs: number) {
    this.session = session;
    this.#prompt = prompt;
    this.#deadlineMs = deadlineMs;
    this.over = this.#listen();
  }

  begin(what: Play | string, { attachments, ...options }: PlayOptions = {}): Turn {
    const text = typeof what === "string" ? what : this.#prompt(what);
    return this.session.prompt(attachments === undefined ? text : { text, attachments }, options);
  }

  async turn(what: Play | string, options?: PlayOptions): Promise<Played> {
    return this.end(this.begin(what, options));
  }

  async end(turn: Turn): Promise<Played> {
    const result = await turn.result;
    await this.when("turn.completed", ({ seq }) => seq === result.seq);
    return { result, events: this.events.filter(({ turnId }) => turnId === result.turnId) };
  }

  /** Returns the first matching event of a type, past or future. */
  async when<Type extends EventType>(
    type: Type,
    matches: (event: EventOf<Type>) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    const meant = (event: ReinsEvent): boolean => event.type === type && matches(event as EventOf<Type>);
    return (this.events.find(meant) ??
      (await this.#waiters.next(meant, this.#deadlineMs, () => this.#late(type)))) as EventOf<Type>;
  }

  all<Type extends EventType>(type: Type, events: readonly ReinsEvent[] = this.events): EventOf<Type>[] {
    return events.filter((event): event is EventOf<Type> => event.type === type);
  }

  #late(type: string): ContractFailure {
    const said = this.events.map((event) => event.type).join(", ");
    return new ContractFailure(`There was no ${type} in ${this.#deadlineMs} ms, only ${said || "nothing"}.`);
  }

  async #listen(): Promise<void> {
    for await (const event of this.session.events()) {
      this.events.push(event);
      this.#waiters.offer(event);
    }
  }
}
