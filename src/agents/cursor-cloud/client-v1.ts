import type { CloudAgent, CloudRunUsage } from "../shared/remote.ts";
import type { Api } from "./client-http.ts";
import { isOver, type Client, type How, type RunInfo } from "./client.ts";
import { apiCodeOf, statusOf, wasStopped } from "./failures.ts";
import type { Answer } from "./schemas.ts";
import { encodeState } from "./state.ts";

const pageSize = 100;
/** Limit against a service whose list never ends. */
const mostPages = 20;

export function clientV1(api: Api): Client {
  const about = (id: string, runId = "") => ({ params: { id, runId } });

  const run: Client["run"] = async (id, runId, how) => runInfo(await api.call("run", { ...about(id, runId), ...how }));

  /** Finds the run of a prompt whose answer was lost: a run that did not exist before. */
  async function newRun(id: string, before: string | undefined, how?: How): Promise<RunInfo | undefined> {
    const { latestRunId } = await api.call("agent", { ...about(id), ...how });
    return latestRunId === undefined || latestRunId === before ? undefined : run(id, latestRunId, how);
  }

  return {
    version: "v1",
    async create({ v1: body, agentId }, how) {
      try {
        const name = agentId === undefined ? "createUnnamed" : "create";
        const { agent, run: first } = await api.call(name, { body, ...how });
        return { agent: agentInfo(agent), run: runInfo(first) };
      } catch (thrown) {
        if (agentId === undefined || (isRefused(thrown) && apiCodeOf(thrown) !== "agent_id_conflict")) throw thrown;
        // The id is random, so if the service knows it, an earlier attempt succeeded and its answer was lost.
        const found = await newRun(agentId, undefined).catch(() => undefined);
        if (found === undefined) throw thrown;
        return { agent: agentInfo(await api.call("agent", about(agentId))), run: found };
      }
    },
    async startRun(id, { v1: body }, { before, ...how }) {
      try {
        return runInfo((await api.call("startRun", { ...about(id), body, ...how })).run);
      } catch (thrown) {
        if (isRefused(thrown)) throw thrown;
        const found = await newRun(id, before).catch(() => undefined);
        if (found === undefined) throw thrown;
        return found;
      }
    },
    latestRun: (id, how) => newRun(id, undefined, how),
    run,
    cancel: (id, runId, how) => wasStopped(api.call("cancel", { ...about(id, runId), ...how })),
    async runUsage(id, runId, how) {
      const { runs } = await api.call("usage", { ...about(id), query: { runId }, ...how });
      const used = runs.filter((one) => one.id === runId).map(usageOf)[0];
      // A run that was not counted yet has zeros.
      return used !== undefined && used.input + used.output + used.cacheRead + used.cacheWrite > 0 ? used : undefined;
    },
    async list({ limit, cursor, archived = false, pullRequest } = {}) {
      const query = { limit, cursor, prUrl: pullRequest, includeArchived: archived };
      const { items, nextCursor } = await api.call("list", { query });
      return { agents: items.map((item) => agentInfo(item)), cursor: nextCursor };
    },
    async get(id) {
      const agent = await api.call("agent", about(id));
      const { latestRunId } = agent;
      return agentInfo(agent, latestRunId === undefined ? undefined : await run(id, latestRunId));
    },
    archive: async (id, archived) => void (await api.call(archived ? "archive" : "unarchive", about(id))),
    remove: async (id) => void (await api.call("remove", about(id))),
    async artifacts(id) {
      const { items } = await api.call("artifacts", about(id));
      return items.map(({ path, sizeBytes, updatedAt }) => ({ path, bytes: sizeBytes, updatedAt }));
    },
    async artifactUrl(id, path) {
      const { url, expiresAt } = await api.call("download", { ...about(id), query: { path } });
      return { url, expiresAt };
    },
    usage: async (id) => (await api.call("usage", about(id))).runs.map(usageOf),
    async me() {
      const { apiKeyName, userEmail, userFirstName, userLastName } = await api.call("me");
      const name = [userFirstName, userLastName].filter((part) => part !== undefined).join(" ");
      return { key: apiKeyName, email: userEmail, name: name || undefined };
    },
    async models() {
      const { items } = await api.call("models");
      return items.map(({ displayName: label, id, description, aliases }) => ({ id, label, description, aliases }));
    },
    repositories: async () => (await api.call("repositories")).items.map(({ url }) => url),
    async runs(id) {
      const found: RunInfo[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < mostPages; page++) {
        const { items, nextCursor } = await api.call("runs", { ...about(id), query: { limit: pageSize, cursor } });
        found.push(...items.map(runInfo));
        cursor = nextCursor;
        if (cursor === undefined) break;
      }
      return found.reverse();
    },
  };
}

/** A refused request was not carried out; any other failed one may have been. */
function isRefused(thrown: unknown): boolean {
  const status = statusOf(thrown);
  return status !== undefined && status < 500;
}

const lifeOf: Readonly<Record<string, CloudAgent["status"]>> = {
  ACTIVE: "working",
  IDLE: "idle",
  ARCHIVED: "archived",
};

function agentInfo(agent: Answer<"agent">, run?: RunInfo): CloudAgent {
  const { id, name, status = "", url, repos, createdAt, updatedAt } = agent;
  return {
    id,
    state: encodeState({ agentId: id }),
    name,
    status: statusWith(lifeOf[status] ?? "unknown", run),
    url,
    repositories: repos.flatMap((repo) => repo.url ?? []),
    branches: run?.branches ?? [],
    createdAt,
    updatedAt,
  };
}

/** An agent is also ACTIVE while background work continues after a run, so the run decides whether it works. */
function statusWith(life: CloudAgent["status"], run: RunInfo | undefined): CloudAgent["status"] {
  if (run === undefined || life === "archived") return life;
  if (!isOver(run.status)) return "working";
  return run.status === "ERROR" ? "failed" : "idle";
}

function runInfo({ id, status = "", createdAt, result, error: told, git }: Answer<"run">): RunInfo {
  const error = typeof told === "string" ? { message: told } : told;
  const branches = (git?.branches ?? []).map(({ repoUrl: repository, branch, prUrl: pullRequest }) => {
    return { repository, branch, pullRequest };
  });
  return { id, status, createdAt, result, error, branches };
}

function usageOf({ id, usage, cost }: Answer<"usage">["runs"][number]): CloudRunUsage {
  const cents = cost?.chargedCents;
  return {
    run: id,
    input: usage.inputTokens ?? 0,
    output: usage.outputTokens ?? 0,
    cacheRead: usage.cacheReadTokens ?? 0,
    cacheWrite: usage.cacheWriteTokens ?? 0,
    ...(cents === undefined ? {} : { costUsd: cents / 100 }),
  };
}
