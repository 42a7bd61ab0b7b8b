/** Finds the stored session to resume, and the options to open it with. */
import { realpath } from "node:fs/promises";
import type { Agent } from "../../agents/contract.ts";
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { currentFolder } from "../../process/launch/current-folder.ts";
import type { SessionOptions } from "../api.ts";
import type { Store, StoredSession } from "../log/types.ts";
import { withForbidden } from "./unsupported-options.ts";
import { isWithin } from "../permissions/decide.ts";

const last = "last";

export function needsStore(resume: string): boolean {
  return resume === last || resume.startsWith("ses_");
}

/** Undefined when the session is not stored here: `resume` is then a state of an agent. */
export async function keptSession(store: Store, wanted: SessionOptions): Promise<StoredSession | undefined> {
  const { resume } = wanted;
  if (resume === undefined) return undefined;
  const { sessions } = store;
  if (resume === last) {
    const cwd = await realpath(wanted.cwd ?? currentFolder()).catch(() => undefined);
    const session = cwd === undefined ? undefined : sessions.lastIn(cwd);
    if (session !== undefined) return session;
    throw new ReinsError("session_not_found", `No session of the folder ${cwd ?? wanted.cwd} is stored.`, {
      help: "`reins sessions` lists those of every folder.",
    });
  }
  // Some agents' own ids also start with `ses_`.
  if (resume.startsWith("ses_")) return sessions.get(resume) ?? sessions.byState(resume) ?? missing(resume);
  return sessions.byState(resume);
}

/** Options for opening a stored session. The caller's options take precedence. */
export function resumedOptions(wanted: SessionOptions, session: StoredSession): SessionOptions {
  const agent = wanted.handoff ?? wanted.agent ?? session.agent;
  const same = agent === session.agent;
  return {
    ...withForbidden(wanted, session.forbidden),
    agent,
    // Restrictions of the agent file still apply to any agent, unless the caller names one.
    agentFile: wanted.agentFile ?? (wanted.agent === undefined ? session.agentFile : undefined),
    cwd: wanted.cwd ?? session.cwd,
    // A state and a model name are valid only for the agent that they came from.
    model: wanted.model ?? (same ? session.model : undefined),
    resume: same ? session.state : undefined,
  };
}

/** Resuming never widens the mode: the narrower of the stored and the usual mode applies, unless the caller names one. */
export function resumedMode(wanted: SessionOptions, session: StoredSession, usual: Mode): Mode {
  if (wanted.mode !== undefined || session.mode === undefined) return usual;
  return isWithin(session.mode, usual) ? session.mode : usual;
}

export function refuseOtherFolder(session: StoredSession, cwd: string): void {
  if (session.cwd === cwd) return;
  throw new ReinsError("invalid_input", `Session ${session.id} is about the folder ${session.cwd}.`, {
    help: "Leave the folder out, or start a new session there.",
  });
}

export function refuseOtherAgent(session: StoredSession, agent: string): void {
  if (session.agent === undefined || session.agent === agent) return;
  throw new ReinsError("invalid_input", `Session ${session.id} is held by the agent ${session.agent}.`, {
    help: `Hand it over: \`reins handoff ${session.id} --to ${agent}\`.`,
  });
}

export function refuseSameAgent(session: StoredSession, { id, name }: Agent): void {
  if (session.agent !== id) return;
  throw new ReinsError("invalid_input", `${name} holds session ${session.id} already.`, {
    agent: id,
    help: `Continue it: \`reins resume ${session.id}\`.`,
  });
}

export function refuseNothingToHandOver({ handoff, resume }: SessionOptions): void {
  if (handoff === undefined) return;
  const what =
    resume === undefined ? "Only a stored session" : `${resume} is not a stored session, and only a stored session`;
  throw new ReinsError("invalid_input", `${what} can be handed off.`, {
    help: "`reins sessions` lists the stored sessions.",
  });
}

/** An agent that cannot fork would continue in the original conversation. */
export function refuseNoFork({ id, name, capabilities }: Agent): void {
  if (capabilities.fork) return;
  throw new ReinsError("unsupported", `${name} cannot continue in a copy of a conversation.`, {
    agent: id,
    help: "Another agent can, with a briefing: `reins handoff <fork> --to <agent>`.",
  });
}

export function missing(id: string): never {
  throw new ReinsError("session_not_found", `There is no session ${id}.`, {
    help: "`reins sessions` lists the stored sessions.",
  });
}
