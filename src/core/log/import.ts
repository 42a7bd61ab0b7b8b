/** Imports conversations from the agents' own history files into the store. Each is read once, and again only when it has grown. */
import { realpath } from "node:fs/promises";
import type { Agent, PastEvent, PastSession } from "../../agents/contract.ts";
import type { ImportResult } from "../api.ts";
import type { Registry } from "../catalog/registry.ts";
import { keep, type SaveBlob } from "../record/limit-content.ts";
import { newTurnId, Recorder } from "../record/recorder.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import type { Limits } from "../../events/limits.ts";
import type { Redactor } from "../../events/redact.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { newSessionId } from "./open-log.ts";
import type { Store } from "./types.ts";

export async function agentsThatKeep(registry: Registry, id: string | undefined): Promise<readonly Agent[]> {
  if (id !== undefined) return [await registry.get(id)];
  const single = registry.entries.filter((entry) => entry.family !== true);
  // An agent that cannot be loaded must not hide the others.
  const agents = await Promise.all(single.map((entry) => registry.get(entry.id).catch(() => undefined)));
  return agents.filter((agent) => agent !== undefined).filter((agent) => agent.manage.history !== undefined);
}

export interface Importing {
  readonly agent: Agent;
  readonly store: Store;
  readonly redact: Redactor;
  readonly limits: Limits;
  readonly cwd?: string | undefined;
}

export async function* importSessions(importing: Importing): AsyncGenerator<ImportResult> {
  const { agent, store, cwd, redact } = importing;
  const { history } = agent.manage;
  if (history === undefined) throw keepsNothing(agent);
  const known = new Map(store.sessions.list().map(({ source, updatedAt }) => [source, Date.parse(updatedAt)]));
  for await (const past of history.list({ cwd })) {
    const source = `${agent.id}:${past.id}`;
    const before = known.get(source);
    const outcome = before === undefined ? "added" : "grown";
    const { id: nativeId, title, cwd: folder, updatedAt, messages } = redact.deep(past);
    const about = { agent: agent.id, nativeId, title, cwd: folder, updatedAt, messages };
    try {
      const held = before === undefined ? heldHere(importing, past) : undefined;
      if (held !== undefined) yield { ...about, outcome: "known", session: held };
      else if (before !== undefined && before >= Date.parse(past.updatedAt)) yield { ...about, outcome: "known" };
      else yield { ...about, ...(await bring(importing, past, source, outcome)) };
    } catch (thrown) {
      yield { ...about, outcome: "failed", message: redact(toReinsError(thrown).message) };
    }
  }
}

/**
 * The state of a remote agent also encodes how much of its conversation was already reported, so it changes with
 * every read. Compare its id instead.
 */
function heldHere({ agent, store }: Importing, { state, id }: PastSession) {
  const held = store.sessions.byState(state);
  return held ?? (agent.capabilities.elsewhere === true ? store.sessions.byState(id) : undefined);
}

async function bring(
  { agent, store, redact, limits }: Importing,
  found: PastSession,
  source: string,
  outcome: "added" | "grown",
): Promise<Pick<ImportResult, "outcome" | "session">> {
  const id = newSessionId();
  // Resolve symlinks, so that a folder has one name here.
  const past = { ...found, cwd: await realpath(found.cwd).catch(() => found.cwd) };
  const put = (content: string | Uint8Array) => store.blobs.put(content);
  const recording = { sessionId: id, agent: agent.id, redact, limits, put };
  const events = await recordPast(past, agent.manage.history!.read(past), recording);
  const { cwd, createdAt, updatedAt } = past;
  const title = past.title === undefined ? undefined : redact(past.title);
  const session = store.sessions.add({ id, source, cwd, title, createdAt, updatedAt, events });
  // If not, the session continued here in the meantime, or it is an older leg of a session of this store.
  const taken = session.source === source && session.updatedAt === new Date(updatedAt).toISOString();
  return { outcome: taken ? outcome : "known", session };
}

function keepsNothing({ id, name }: Pick<Agent, "id" | "name">): ReinsError {
  return new ReinsError("unsupported", `${name} keeps no conversations on this machine that Reins can read.`, {
    agent: id,
  });
}

export interface PastRecording {
  readonly sessionId: string;
  readonly agent: string;
  readonly redact: Redactor;
  readonly limits: Limits;
  readonly put?: SaveBlob | undefined;
}

export async function recordPast(
  past: PastSession,
  batches: AsyncIterable<readonly PastEvent[]>,
  { agent, ...recording }: PastRecording,
): Promise<readonly ReinsEvent[]> {
  let now = Date.parse(past.createdAt);
  const recorder = new Recorder({ ...recording, now: () => now });
  const { cwd, model, agentVersion, state, title } = past;
  // The mode at that time is unknown, so use the default.
  const leg = { cwd, mode: "ask", resumed: false } as const;
  recorder.startLeg(agent, leg);
  recorder.add({ type: "session.started", ...leg, model, agentVersion, state });
  if (title !== undefined) recorder.add({ type: "session.updated", title, by: "agent" });
  const events: ReinsEvent[] = [];
  for await (const batch of batches) {
    for (const one of batch) {
      // Time never goes backwards in a session, even if the clock of that machine did.
      now = Math.max(now, Date.parse(one.time ?? "") || 0);
      if ("prompt" in one) ask(recorder, one.prompt, recording);
      else if (one.event.type === "turn.ended") recorder.endTurn(one.event);
      else recorder.add(one.event);
    }
    events.push(...recorder.take());
  }
  recorder.endLeg();
  return [...events, ...recorder.take()];
}

function ask(
  recorder: Recorder,
  { text, attachments }: Extract<PastEvent, { prompt: unknown }>["prompt"],
  { limits, redact }: Pick<PastRecording, "limits" | "redact">,
): void {
  const kept = keep(text, limits.inlineBytes, redact);
  const input = { text: kept.text, ...(attachments && { attachments: [...attachments] }) };
  recorder.startTurn(newTurnId(), {
    type: "turn.started",
    origin: "prompt",
    input: kept.whole ? input : { ...input, bytes: Buffer.byteLength(text) },
  });
}
