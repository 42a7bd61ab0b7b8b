/** The older API, v0. An agent is one run that continues, without a stream or usage, so it is polled. Only v0 has webhooks. */
import type { CloudAgent, CloudBranch } from "../shared/remote.ts";
import type { Api } from "./client-http.ts";
import { isOver, type Client, type RunInfo } from "./client.ts";
import { wasStopped } from "./failures.ts";
import { cloudError, who } from "./program.ts";
import type { Answer } from "./schemas.ts";
import { encodeState } from "./state.ts";

interface Message {
  readonly role: "person" | "agent";
  readonly text: string;
}

export async function conversation(api: Api, id: string, signal?: AbortSignal): Promise<readonly Message[]> {
  const { messages } = await api.call("legacyConversation", { params: { id }, signal });
  return messages.map(({ type, text }) => ({ role: type === "user_message" ? "person" : "agent", text }));
}

export function clientV0(api: Api): Client {
  const about = (id: string) => ({ params: { id } });
  const look = async (id: string, how = {}): Promise<RunInfo> =>
    runInfo(await api.call("legacyAgent", { ...about(id), ...how }));
  return {
    version: "v0",
    async create({ v0: body }, how) {
      const agent = await api.call("legacyCreate", { body, ...how });
      return { agent: agentInfo(agent), run: runInfo(agent) };
    },
    async startRun(id, { v0: body }, { before: _before, ...how }) {
      await api.call("legacyFollowUp", { ...about(id), body, ...how });
      // Right after this the agent may still have the status of the last prompt.
      return { id, status: "CREATING", branches: [] };
    },
    latestRun: look,
    run: (id, _runId, how) => look(id, how),
    async cancel(id, _runId, how) {
      if (isOver((await look(id, how)).status)) return false;
      return wasStopped(api.call("legacyStop", { ...about(id), ...how }));
    },
    runUsage: async () => undefined,
    async list({ limit, cursor, pullRequest } = {}) {
      const { agents, nextCursor } = await api.call("legacyList", { query: { limit, cursor, prUrl: pullRequest } });
      return { agents: agents.map(agentInfo), cursor: nextCursor };
    },
    get: async (id) => agentInfo(await api.call("legacyAgent", about(id))),
    archive: () => Promise.reject(missing("cannot archive agents")),
    remove: async (id) => void (await api.call("legacyRemove", about(id))),
    async artifacts(id) {
      const { artifacts } = await api.call("legacyArtifacts", about(id));
      return artifacts.flatMap(({ absolutePath, path = absolutePath, sizeBytes, updatedAt }) =>
        path === undefined ? [] : [{ path, bytes: sizeBytes, updatedAt }],
      );
    },
    artifactUrl: () => Promise.reject(missing("gives no addresses of artifacts")),
    usage: () => Promise.reject(missing("does not report usage")),
    async me() {
      const { apiKeyName, userEmail } = await api.call("legacyMe");
      return { key: apiKeyName, email: userEmail };
    },
    models: async () => (await api.call("legacyModels")).models.map((id) => ({ id })),
    async repositories() {
      const { repositories } = await api.call("legacyRepositories");
      return repositories.flatMap(({ repository }) => repository ?? []);
    },
    runs: async (id) => [await look(id)],
  };
}

const lifeOf: Readonly<Record<string, CloudAgent["status"]>> = {
  CREATING: "working",
  RUNNING: "working",
  FINISHED: "idle",
  STOPPED: "idle",
  ERROR: "failed",
  FAILED: "failed",
  EXPIRED: "archived",
};

function agentInfo(agent: Answer<"legacyAgent">): CloudAgent {
  const { id, name, status = "", source, target, createdAt } = agent;
  return {
    id,
    state: encodeState({ agentId: id }),
    name,
    status: lifeOf[status] ?? "unknown",
    url: target?.url,
    repositories: source?.repository === undefined ? [] : [source.repository],
    branches: runInfo(agent).branches,
    createdAt,
  };
}

function runInfo(agent: Answer<"legacyAgent">): RunInfo {
  const { id, status = "", createdAt, summary: result } = agent;
  return { id, status, createdAt, result, branches: isOver(status) ? branchesOf(agent) : [] };
}

/** The branch or pull request that an agent pushed. */
export function branchesOf({ source, target = {} }: Pick<Answer<"legacyAgent">, "source" | "target">): CloudBranch[] {
  const { branchName: branch, prUrl: pullRequest } = target;
  const pushed = branch !== undefined || pullRequest !== undefined;
  return pushed ? [{ repository: source?.repository, branch, pullRequest }] : [];
}

const missing = (what: string): Error =>
  cloudError("unsupported", `The older API of ${who.name} ${what}.`, "Only agents of the newer API (v1) have that.");
