/** Where the contract is tested: one agent that is ready, and what to say to make it do things. */
import { onTestFinished } from "vitest";
import type { Capabilities } from "../../src/events/capabilities.ts";
import type { EventOf, EventType, ReinsEvent } from "../../src/events/types.ts";
import type { Prompt, Reins, Session, SessionOptions, TurnOptions, TurnResult } from "../../src/index.ts";
import { expectLawful } from "../support/lawful.ts";

export interface Stage {
  readonly agent: string;
  readonly reins: Reins;
  /** A workspace of its own. */
  readonly cwd: string;
  /** In the agent's own language. Each changes nothing but what it says. */
  readonly prompts: {
    /** Says a text of many pieces. */
    readonly text: string;
    readonly think: string;
    /** Writes this file. */
    readonly write: (file: string) => string;
    /** Says something and then goes on until it is cancelled. */
    readonly endless: string;
    readonly question: string;
    /** In mode plan: proposes one. */
    readonly plan: string;
    /** A subagent uses or says something. */
    readonly subagent: string;
    /** Starts a task, ends the turn, and speaks again when the task is over. */
    readonly background: string;
  };
  /** Lets the task of `background` end. */
  readonly endBackground: () => void;
}

/** One session on it; when the test is over everything that was said must be lawful. */
export class Actor {
  readonly session: Session;

  static async on({ agent, reins, cwd }: Stage, options: SessionOptions = {}): Promise<Actor> {
    const session = await reins.session({ agent, cwd, ...options });
    const { capabilities } = await reins.agent(agent);
    return new Actor(session, capabilities);
  }

  constructor(session: Session, { resume }: Capabilities) {
    this.session = session;
    onTestFinished(async () => {
      await session.close();
      const events: ReinsEvent[] = [];
      for await (const event of session.events()) events.push(event);
      expectLawful(events, { resumes: () => resume });
    });
  }

  async turn(prompt: Prompt, options?: TurnOptions): Promise<{ result: TurnResult; events: readonly ReinsEvent[] }> {
    const turn = this.session.prompt(prompt, options);
    const events: ReinsEvent[] = [];
    for await (const event of turn) events.push(event);
    return { result: await turn.result, events };
  }

  /** The first event of a type, said already or to come. */
  async when<Type extends EventType>(type: Type, matches: (event: EventOf<Type>) => boolean = () => true) {
    for await (const event of this.session.events())
      if (event.type === type && matches(event as EventOf<Type>)) return event as EventOf<Type>;
    throw new Error(`The session ended without ${type}.`);
  }
}

export function all<Type extends EventType>(events: readonly ReinsEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type);
}
