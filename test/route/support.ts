/** Sessions with puppets as the agents of a route. */
import { onTestFinished } from "vitest";
import type { Reins, ReinsOptions, Session, SessionOptions } from "../../src/core/api.ts";
import type { ErrorCode } from "../../src/events/errors.ts";
import type { AgentEvent, EventOf, EventType, ReinsEvent } from "../../src/events/types.ts";
import { createReins } from "../../src/core/reins.ts";
import { testFolder } from "../support/core.ts";
import { expectLawful } from "../support/lawful.ts";
import { createPuppet, type Puppet, type PuppetSession } from "../support/puppet.ts";

export interface Cast {
  readonly reins: Reins;
  readonly a: Puppet;
  readonly b: Puppet;
  readonly c: Puppet;
  readonly session: (options?: SessionOptions) => Promise<Session>;
}

/** Three agents; opens a session of the first with the others as its fallback. */
export function cast(
  options: ReinsOptions & { readonly ready?: Readonly<Record<string, boolean>>; readonly history?: boolean } = {},
): Cast {
  const { ready = {}, history = false, ...reinsOptions } = options;
  const [a, b, c] = ["a", "b", "c"].map((id) => createPuppet({ id, ready: ready[id] ?? true, history })) as [
    Puppet,
    Puppet,
    Puppet,
  ];
  const home = testFolder();
  const reins = createReins({
    agents: [a.entry, b.entry, c.entry],
    env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home },
    guardian: false,
    ...reinsOptions,
  });
  onTestFinished(() => reins.close());
  const session = (wanted: SessionOptions = {}) =>
    reins.session({ agent: "a", fallback: ["b", "c"], cwd: testFolder(), mode: "full", ...wanted });
  return { reins, a, b, c, session };
}

export const fails = (code: ErrorCode, resetsAt?: string): AgentEvent => ({
  type: "turn.ended",
  outcome: "failed",
  error: { code, message: `It is ${code}.`, retryable: false, resetsAt },
});
export const says = (text: string): AgentEvent => ({ type: "message.completed", messageId: text, text });
export const done: AgentEvent = { type: "turn.ended", outcome: "done" };
export const runs = (callId: string, title: string): AgentEvent => ({
  type: "tool.started",
  callId,
  tool: "shell",
  nativeName: "Bash",
  kind: "execute",
  title,
  input: {},
});

/** Makes this session slow to close. */
export function holdsClosing(session: PuppetSession): {
  readonly reached: Promise<void>;
  readonly release: () => void;
} {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const close = session.close.bind(session);
  session.close = () => {
    reached.resolve();
    return released.promise.then(close);
  };
  return { reached: reached.promise, release: released.resolve };
}

export async function turn(session: Session, prompt: string): Promise<ReinsEvent[]> {
  const events: ReinsEvent[] = [];
  for await (const event of session.prompt(prompt)) events.push(event);
  return events;
}

export function of<Type extends EventType>(events: readonly ReinsEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event) => event.type === type) as EventOf<Type>[];
}

/** Closes the session and returns all its events, checked against the laws. */
export async function all(session: Session): Promise<ReinsEvent[]> {
  await session.close();
  const events: ReinsEvent[] = [];
  for await (const event of session.events()) events.push(event);
  expectLawful(events);
  return events;
}
