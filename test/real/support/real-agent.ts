/** A real agent in an empty repository with a scripted model. After each test all its events are checked. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createReins } from "../../../src/index.ts";
import type { Prompt, Reins, ReinsOptions, Session, SessionOptions, TurnResult } from "../../../src/core/api.ts";
import type { EventOf, EventType, ReinsEvent } from "../../../src/events/types.ts";
import { proofOf, startScriptedModel, type Scenario, type ScriptedModel } from "../../../src/testing/index.ts";
import { expectLawful } from "../../support/lawful.ts";
import { Collected } from "./collected.ts";
import { compiled } from "./compiled.ts";
import { expectUnderstood } from "./events.ts";
import { expectNothingLeft } from "./left.ts";
import { programOf } from "./program.ts";
import { createWorkspace } from "./workspace.ts";

export interface RealAgent {
  readonly id: string;
  readonly model: ScriptedModel;
  readonly cwd: string;
  readonly home: string;
  /** The complete environment of Reins. */
  readonly env: Readonly<Record<string, string>>;
  readonly reins: Reins;
  /** Another Reins in the same place; closed after the test too. */
  another(options?: ReinsOptions): Reins;
  /** Opens a session with the agent in the workspace and collects its events. */
  session(options?: SessionOptions, reins?: Reins): Promise<Session>;
  said(session: Session): readonly ReinsEvent[];
  /** Resolves with the first matching event of a type, past or future. */
  when<Type extends EventType>(
    session: Session,
    type: Type,
    matches?: (event: EventOf<Type>) => boolean,
  ): Promise<EventOf<Type>>;
  turn(session: Session, prompt: Prompt): Promise<{ result: TurnResult; events: readonly ReinsEvent[] }>;
}

export interface RealAgentOptions {
  /** Scenarios in addition to the standard ones. */
  readonly scenarios?: readonly Scenario[];
  /** Variables in addition to those of the agent's proof. */
  readonly env?: Readonly<Record<string, string>>;
  /** The test uses an option that the agent cannot honour, so a divergence is expected. */
  readonly diverges?: boolean;
}

const isDivergence = (event: ReinsEvent): boolean => event.type === "notice" && event.code === "divergence";

/** Call it inside a test: `const real = await realAgent("some")`. */
export async function realAgent(id: string, options: RealAgentOptions = {}): Promise<RealAgent> {
  const proof = await proofOf(id);
  const workspace = createWorkspace();
  const { cwd, home } = workspace;
  const model = await startScriptedModel({ proof, cwd, scenarios: options.scenarios });
  const command = `REINS_${id.toUpperCase().replaceAll("-", "_")}_COMMAND`;
  const env = {
    ...workspace.env,
    ...compiled,
    ...proof.env(model.url),
    ...(proof.install !== undefined && { [command]: programOf(proof) }),
    ...options.env,
  };

  for (const [path, text] of Object.entries(proof.files?.(model.url) ?? {})) {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  const opened: Reins[] = [];
  const collections = new Map<Session, Collected>();
  const another = (more: ReinsOptions = {}): Reins => {
    const reins = createReins({ env, ...more });
    opened.push(reins);
    return reins;
  };
  const of = (session: Session): Collected => {
    const known = collections.get(session) ?? new Collected(session);
    collections.set(session, known);
    return known;
  };
  const reins = another();

  onTestFinished(async () => {
    try {
      await Promise.all(opened.map((one) => one.close()));
      for (const { done, events } of collections.values()) {
        await done;
        expectLawful(events);
        expectUnderstood(options.diverges === true ? events.filter((event) => !isDivergence(event)) : events);
      }
      await expectNothingLeft(home);
      const refused = model.requests.find((request) => request.problem !== undefined);
      if (refused) throw new Error(`The scripted model had no answer: ${refused.problem}`);
    } finally {
      await model.close();
      workspace[Symbol.dispose]();
    }
  });

  return {
    id,
    model,
    cwd,
    home,
    env,
    reins,
    another,
    async session(wanted = {}, from = reins) {
      const session = await from.session({ agent: id, cwd, ...wanted });
      of(session);
      return session;
    },
    said: (session) => of(session).events,
    when: async <Type extends EventType>(
      session: Session,
      type: Type,
      matches: (event: EventOf<Type>) => boolean = () => true,
    ) => {
      const meant = (event: ReinsEvent): event is EventOf<Type> => event.type === type;
      return (await of(session).when((event) => meant(event) && matches(event))) as EventOf<Type>;
    },
    async turn(session, prompt) {
      const turn = session.prompt(prompt);
      const events: ReinsEvent[] = [];
      for await (const event of turn) events.push(event);
      const result = await turn.result;
      // By then all events of the turn are collected.
      await of(session).when((event) => event.type === "turn.completed" && event.turnId === turn.id);
      return { result, events };
    },
  };
}
