/** Management of agents that run remotely. Errors of their services are redacted, because they may contain secrets. */
import { tmpdir } from "node:os";
import type { Agent, PastSession } from "../../agents/contract.ts";
import type { Limits } from "../../events/limits.ts";
import type { Redactor } from "../../events/redact.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { Cloud } from "../api.ts";
import { cleanError } from "../redaction.ts";
import { newSessionId } from "../log/open-log.ts";
import { recordPast } from "../log/import.ts";
import type { Registry } from "./registry.ts";

export async function cloudAgents(registry: Registry): Promise<readonly string[]> {
  const single = registry.entries.filter((entry) => entry.family !== true);
  // An agent that cannot be loaded must not hide the others.
  const agents = await Promise.all(single.map(({ id }) => registry.get(id).catch(() => undefined)));
  return agents.flatMap((agent) => (agent?.manage.cloud === undefined ? [] : [agent.id]));
}

export function cloudOf(agent: Agent, redact: Redactor, limits: Limits): Cloud | undefined {
  const { cloud, history } = agent.manage;
  if (cloud === undefined) return undefined;
  const ask = async <Value>(does: () => Promise<Value>): Promise<Value> => {
    try {
      return await does();
    } catch (thrown) {
      throw cleanError(thrown, redact);
    }
  };
  const show = async <Value>(does: () => Promise<Value>): Promise<Value> => redact.deep(await ask(does));
  return {
    list: (options) => show(() => cloud.list(options)),
    get: (id) => show(() => cloud.get(id)),
    idOf: (state) => cloud.idOf(state),
    stop: (id) => ask(() => cloud.stop(id)),
    archive: (id) => ask(() => cloud.archive(id)),
    unarchive: (id) => ask(() => cloud.unarchive(id)),
    remove: (id) => ask(() => cloud.remove(id)),
    artifacts: (id) => show(() => cloud.artifacts(id)),
    // Not redacted: the URL contains a secret, and the caller asked for it.
    artifactUrl: (id, path) => ask(() => cloud.artifactUrl(id, path)),
    usage: (id) => show(() => cloud.usage(id)),
    me: () => show(() => cloud.me()),
    repositories: () => show(() => cloud.repositories()),
    conversation: (id) =>
      ask(async (): Promise<readonly ReinsEvent[]> => {
        const { state, name, createdAt = new Date().toISOString(), updatedAt = createdAt } = await cloud.get(id);
        const times = { createdAt, updatedAt };
        const past: PastSession = { id, state, title: name, ...times, cwd: tmpdir(), messages: 0, place: id };
        const recording = { sessionId: newSessionId(), agent: agent.id, redact, limits };
        return history === undefined ? [] : recordPast(past, history.read(past), recording);
      }),
  };
}
