/** Drives one session of an agent without the core: reads its events, answers its requests, and checks every event. */
import { expect } from "vitest";
import type { AgentSession, Answer, HoldAnswer, PermissionAnswer, QuestionAnswer } from "../../src/agents/contract.ts";
import { agentEventSchema } from "../../src/events/schema/index.ts";
import type { AgentEvent, AgentEventOf } from "../../src/events/types.ts";
import { Judge, type JudgeOptions } from "./judge.ts";

type Reply<Event, Given extends Answer> = Given | undefined | ((event: Event) => Given | undefined);

/** The answers to requests; undefined leaves a request open. */
export interface Replies {
  hold?: Reply<AgentEventOf<"tool.held">, HoldAnswer>;
  permission?: Reply<AgentEventOf<"permission.requested">, PermissionAnswer>;
  question?: Reply<AgentEventOf<"question.requested">, QuestionAnswer>;
}

export class Drive {
  readonly session: AgentSession;
  readonly events: AgentEvent[] = [];
  readonly #batches: AsyncIterator<readonly AgentEvent[]>;
  /** Makes the core's decisions for an agent that is judged by Reins. */
  readonly judge: Judge | undefined;
  /** Calls for which a person is asked instead of the core. */
  readonly #asked = new Map<string, AgentEventOf<"tool.held">>();
  #seen = 0;

  constructor(session: AgentSession, judge?: JudgeOptions) {
    this.session = session;
    this.judge = judge && new Judge(judge);
    this.#batches = session.events[Symbol.asyncIterator]();
    const { judge: judging } = this;
    if (judging === undefined) return;
    const configure = session.configure?.bind(session);
    session.configure = async (change) => {
      judging.mode = change.mode ?? judging.mode;
      await configure(change);
    };
  }

  /** Prompts and reads to the end of the turn; returns its events. */
  async turn(text: string, replies: Replies = {}): Promise<AgentEvent[]> {
    await this.session.prompt({ text });
    const said = await this.until((event) => event.type === "turn.ended", replies);
    return said.filter((event) => event.type !== "session.started");
  }

  /** Reads until a matching event; returns the events since the last call. */
  async until(found: (event: AgentEvent) => boolean, replies: Replies = {}): Promise<AgentEvent[]> {
    const from = this.#seen;
    for (;;) {
      while (this.#seen < this.events.length) {
        const event = this.events[this.#seen++] as AgentEvent;
        this.#answer(event, replies);
        if (found(event)) return this.events.slice(from, this.#seen);
      }
      const { done, value } = await this.#batches.next();
      if (done === true) expect.fail(`The events ended; the last was ${JSON.stringify(this.events.at(-1))}.`);
      for (const event of value) this.#check(event);
      this.events.push(...value);
    }
  }

  /** Reads until the agent ends; returns the events since the last call. */
  async rest(): Promise<AgentEvent[]> {
    for (let next = await this.#batches.next(); next.done !== true; next = await this.#batches.next()) {
      for (const event of next.value) this.#check(event);
      this.events.push(...next.value);
    }
    const from = this.#seen;
    this.#seen = this.events.length;
    return this.events.slice(from);
  }

  #check(event: AgentEvent): void {
    const parsed = agentEventSchema.safeParse(event);
    if (!parsed.success) expect.fail(`${JSON.stringify(event)} is not in the vocabulary: ${parsed.error.message}`);
  }

  #answer(event: AgentEvent, replies: Replies): void {
    if (event.type === "session.updated" && event.mode !== undefined && this.judge !== undefined)
      this.judge.mode = event.mode;
    if (event.type === "tool.held") {
      const given = typeof replies.hold === "function" ? replies.hold(event) : replies.hold;
      const isOpen = given?.decision === "ask" || given?.decision === "defer" || !("hold" in replies);
      if (this.judge !== undefined && isOpen) this.#judged(event, this.judge, given?.decision === "ask");
      else this.#reply(event, "hold" in replies ? given : { decision: "defer" });
    } else if (event.type === "permission.requested") this.#asPerson(event, replies);
    else if (event.type === "question.requested") this.#reply(event, replies.question);
  }

  /** Adds the permission request that the core would make to the events. */
  #judged(held: AgentEventOf<"tool.held">, judge: Judge, ask: boolean): void {
    const decided = judge.decide(held, ask);
    if (!("type" in decided)) return this.session.answer(held.requestId, decided);
    this.#asked.set(held.requestId, held);
    this.events.splice(this.#seen, 0, decided);
  }

  #asPerson(event: AgentEventOf<"permission.requested">, { permission }: Replies): void {
    const held = this.#asked.get(event.requestId);
    if (held === undefined) return this.#reply(event, permission);
    const answer = typeof permission === "function" ? permission(event) : permission;
    if (answer === undefined) return;
    this.#asked.delete(event.requestId);
    this.judge?.answered(held, answer);
    const offered = event.options.some(({ id }) => id === answer.optionId);
    const optionId = offered ? answer.optionId : answer.decision;
    this.session.answer(held.requestId, { ...answer, optionId });
  }

  #reply<Event extends { requestId: string }, Given extends Answer>(event: Event, reply: Reply<Event, Given>): void {
    const answer = typeof reply === "function" ? reply(event) : reply;
    if (answer !== undefined) this.session.answer(event.requestId, answer);
  }
}

export function only<Type extends AgentEvent["type"]>(events: readonly AgentEvent[], type: Type): AgentEventOf<Type>[] {
  return events.filter((event): event is AgentEventOf<Type> => event.type === type);
}
