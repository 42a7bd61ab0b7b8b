/** Brings what agents themselves keep into the store, once: what is there already is not read again. */
import { realpath } from "node:fs/promises";
import type { Agent, PastSession } from "../agents/contract.ts";
import { ReinsError, toReinsError } from "../events/errors.ts";
import type { Limits } from "../events/limits.ts";
import type { Redactor } from "../events/redact.ts";
import type { Brought } from "./api.ts";
import { newSessionId } from "./keeping.ts";
import type { Store } from "./log.ts";
import type { Registry } from "./registry.ts";
import { recordPast } from "./past-record.ts";

/** This agent, or each of all that keeps something. */
export async function agentsThatKeep(registry: Registry, id: string | undefined): Promise<readonly Agent[]> {
  if (id !== undefined) return [await registry.get(id)];
  const single = registry.entries.filter((entry) => entry.family !== true);
  // One that cannot be loaded keeps nobody from the others.
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

export async function* importSessions(importing: Importing): AsyncGenerator<Brought> {
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

/** The state of one that works elsewhere also says how much of it was told here, and is another whenever somebody looks: its id counts. */
function heldHere({ agent, store }: Importing, { state, id }: PastSession) {
  const held = store.sessions.byState(state);
  return held ?? (agent.capabilities.elsewhere === true ? store.sessions.byState(id) : undefined);
}

async function bring(
  { agent, store, redact, limits }: Importing,
  found: PastSession,
  source: string,
  outcome: "added" | "grown",
): Promise<Pick<Brought, "outcome" | "session">> {
  const id = newSessionId();
  // A folder has one name here, by whatever link the agent was started in it.
  const past = { ...found, cwd: await realpath(found.cwd).catch(() => found.cwd) };
  const put = (content: string | Uint8Array) => store.blobs.put(content);
  const recording = { sessionId: id, agent: agent.id, redact, limits, put };
  const events = await recordPast(past, agent.manage.history!.read(past), recording);
  const { cwd, createdAt, updatedAt } = past;
  const title = past.title === undefined ? undefined : redact(past.title);
  const session = store.sessions.add({ id, source, cwd, title, createdAt, updatedAt, events });
  // It went on here since, or it is an older leg of a session of ours.
  const taken = session.source === source && session.updatedAt === new Date(updatedAt).toISOString();
  return { outcome: taken ? outcome : "known", session };
}

function keepsNothing({ id, name }: Pick<Agent, "id" | "name">): ReinsError {
  return new ReinsError("unsupported", `${name} keeps no conversations on this machine that Reins can read.`, {
    agent: id,
  });
}
