/** Switches a session from one agent to another: stops the old agent and opens the new one. */
import { errorInfo, toReinsError, type ErrorInfo } from "../../events/errors.ts";
import type { EventPayload } from "../../events/types.ts";
import type { Candidate, ActiveAgent, SessionRoute, SwitchStep } from "./session-route.ts";

type Switched = Extract<EventPayload, { type: "agent.switched" }>;

export interface SwitchHost {
  readonly route: SessionRoute;
  readonly active: () => ActiveAgent;
  /** Names the agent that is taking over, for the error messages of calls in the meantime. */
  readonly naming: (to: string | undefined) => void;
  /** Stops the current agent; resolves when its process has ended. */
  readonly leave: () => Promise<void>;
  readonly activate: (next: ActiveAgent, announce?: Switched) => void;
  readonly open: () => Promise<void>;
  readonly warn: (message: string) => void;
}

/**
 * Continues with an agent that can: the same one after a wait, or the first of the route that opens. Undefined when
 * none can; the session then stays with its agent.
 */
export async function moveOn(
  host: SwitchHost,
  error: ErrorInfo,
  signal: AbortSignal,
): Promise<SwitchStep["do"] | undefined> {
  return follow(host, await host.route.next(host.active(), error, signal), error.code, signal);
}

export async function moveAtStart(host: SwitchHost, signal: AbortSignal): Promise<void> {
  const found = await host.route.atStart(host.active(), signal);
  if (found !== undefined) await follow(host, found.step, found.reason, signal);
}

/** Switches to the agent that the user chose. Throws when it does not start; the session then stays with its agent. */
export async function handOver(host: SwitchHost, next: Candidate): Promise<void> {
  const before = host.active();
  try {
    await handTo(host, next, { from: before.agent.id, reason: "requested" });
  } catch (thrown) {
    await restore(host, before);
    throw thrown;
  }
}

export function switchedTo(route: SessionRoute, next: ActiveAgent, from: string, reason: string): Switched {
  return { type: "agent.switched", from, to: next.agent.id, reason, ...route.account(next) };
}

async function follow(
  host: SwitchHost,
  first: SwitchStep | undefined,
  reason: string,
  signal: AbortSignal,
): Promise<SwitchStep["do"] | undefined> {
  const before = host.active();
  for (let step = first; step !== undefined && !signal.aborted;) {
    if (step.do === "again") return "again";
    try {
      await handTo(host, step.next, { from: before.agent.id, reason }, signal);
      return "switch";
    } catch (thrown) {
      if (signal.aborted) break;
      host.route.couldNot(step.next, errorInfo(toReinsError(thrown)));
      step = await host.route.elsewhere(before, signal);
    }
  }
  await restore(host, before);
  return undefined;
}

/** `from` is the last agent that held the session; others may have been tried since. */
async function handTo(
  host: SwitchHost,
  next: Candidate,
  { from, reason }: Pick<Switched, "from" | "reason">,
  signal?: AbortSignal,
): Promise<void> {
  const { route } = host;
  host.naming(next.agent.name);
  try {
    await host.leave();
    signal?.throwIfAborted();
    host.activate(next, switchedTo(route, next, from, reason));
    await host.open();
    for (const message of next.remarks) host.warn(message);
    if (!route.knowsPast)
      host.warn(
        `${next.agent.name} does not know the conversation before this session was resumed: it was not stored here.`,
      );
  } finally {
    host.naming(undefined);
  }
}

async function restore(host: SwitchHost, before: ActiveAgent): Promise<void> {
  if (host.active() === before) return;
  await host.leave();
  host.activate(before);
}
