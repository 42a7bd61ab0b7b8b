/** The Cloud Agents API, v1. */
import type { CloudAgent, CloudRunUsage } from "../shared/remote.ts";
import type { Api } from "./client-http.ts";
import { isOver } from "./client.ts";
import type { Client, RunInfo } from "./client.ts";
import { apiCodeOf, statusOf } from "./failures.ts";
import type { Answer } from "./schemas.ts";
import { encodeState } from "./state.ts";
import { branchesOf } from "./translate.ts";

const pageSize = 100;
/** More runs than anybody reads; a service that never ends its list must not keep us. */
const mostPages = 20;

export function clientV1(api: Api): Client {
  const about = (id: string, runId = "") => ({ params: { id, runId } });

  /** A prompt whose answer was lost: it was taken where there is a run that was not there before. */
  async function newRun(id: string, before: string | undefined): Promise<RunInfo | undefined> {
    const { latestRunId } = await api.call("agent", about(id));
    if (latestRunId === undefined || latestRunId === before) return undefined;
    return runInfo(await api.call("run", about(id, latestRunId)));
  }

  return {
    version: "v1",
    async create({ v1: body, agentId }, how) {
      try {
        const name = agentId === undefined ? "createUnnamed" : "create";
        const { agent, run } = await api.call(name, { body, ...how });
        return { agent: agentInfo(agent), run: runInfo(run) };
      } catch (thrown) {
        if (agentId === undefined || (isRefused(thrown) && apiCodeOf(thrown) !== "agent_id_conflict")) throw thrown;
        // We chose the id by chance: nobody else has it, so where it is known a try came through and its answer was lost.
        const run = await newRun(agentId, undefined).catch(() => undefined);
        if (run === undefined) throw thrown;
        return { agent: agentInfo(await api.call("agent", about(agentId))), run };
      }
    },
    async startRun(id, { v1: body }, { before, ...how }) {
      try {
        return runInfo((await api.call("startRun", { ...about(id), body, ...how })).run);
      } catch (thrown) {
        if (isRefused(thrown)) throw thrown;
        const run = await newRun(id, before).catch(() => undefined);
        if (run === undefined) throw thrown;
        return run;
      }
    },
    async latestRun(id, how) {
      const { latestRunId } = await api.call("agent", { ...about(id), ...how });
      return latestRunId === undefined
        ? undefined
        : runInfo(await api.call("run", { ...about(id, latestRunId), ...how }));
    },
    run: async (id, runId, how) => runInfo(await api.call("run", { ...about(id, runId), ...how })),
    async cancel(id, runId, how) {
      try {
        await api.call("cancel", { ...about(id, runId), ...how });
        return true;
      } catch (thrown) {
        if (statusOf(thrown) === 409) return false;
        throw thrown;
      }
    },
    async runUsage(id, runId, how) {
      const { runs } = await api.call("usage", { ...about(id), query: { runId }, ...how });
      const used = runs.filter((run) => run.id === runId).map(usageOf)[0];
      // Nothing but zeros is what is told of a run that nobody has counted yet.
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
      const run = latestRunId === undefined ? undefined : await api.call("run", about(id, latestRunId));
      return agentInfo(agent, run && runInfo(run));
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
      return items.map(({ id, displayName, description, aliases }) => ({
        id,
        label: displayName,
        description,
        aliases,
      }));
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

/** Whoever refuses has done nothing; what else went wrong may have been done. */
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

/** An agent is also called active while something of it runs on behind a run that is over; whether it works, its run says. */
function statusWith(life: CloudAgent["status"], run: RunInfo | undefined): CloudAgent["status"] {
  if (run === undefined || life === "archived") return life;
  if (!isOver(run.status)) return "working";
  return run.status === "ERROR" ? "failed" : "idle";
}

function runInfo({ id, status = "", createdAt, result, error, git }: Answer<"run">): RunInfo {
  return {
    id,
    status,
    createdAt,
    result,
    error: typeof error === "string" ? { message: error } : error,
    branches: branchesOf(git?.branches ?? []),
  };
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
