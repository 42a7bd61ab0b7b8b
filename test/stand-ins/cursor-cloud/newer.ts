/** The documented API, v1. */
import type { ServerResponse } from "node:http";
import { randomUUID } from "node:crypto";
import { fieldsOf, textOf, type Fields } from "../agent-loop/index.ts";
import { gitOf, isWorking, type Agents } from "./agents.ts";
import { answer, Refusal, type Call } from "./answers.ts";
import type { Faults } from "./faults.ts";
import { stream } from "./stream.ts";
import type { AgentRecord, RunRecord } from "./types.ts";

const models = [
  { id: "scripted-1", displayName: "Scripted 1", aliases: ["scripted"] },
  { id: "scripted-2", displayName: "Scripted 2" },
];

export function newer(agents: Agents, call: Call, response: ServerResponse, faults: Faults): void {
  const { method, path, query, body } = call;
  const [, , first = "", id = "", third = "", runId = "", fifth = ""] = path.split("/").map(decodeURIComponent);
  const what = `${method} ${[first, id && "*", third, runId && (third === "runs" ? "*" : runId), fifth].filter(Boolean).join("/")}`;
  const send = (value: object, status?: number): void => answer(response, call, value, status);
  switch (what) {
    case "POST agents":
      return send(create(agents, body), 201);
    case "GET agents":
      return send(
        page(
          agents.all.filter(({ archived }) => query.get("includeArchived") !== "false" || !archived).filter(isNewer),
          query,
          summary,
        ),
      );
    case "GET me":
      return send({ apiKeyName: "made up", createdAt: "2026-01-01T00:00:00.000Z", userEmail: "ada@example.com" });
    case "GET models":
      return send({ items: models });
    case "GET repositories":
      return send({ items: [{ url: "https://github.com/example/one" }] });
  }
  if (first !== "agents") throw new Refusal(404, "There is no such endpoint.");
  const agent = agents.find(id);
  if (agent === undefined || !isNewer(agent)) throw new Refusal(404, "There is no such agent.", "agent_not_found");
  switch (what) {
    case "GET agents/*":
      return send(whole(agent));
    case "DELETE agents/*":
      agents.all.splice(agents.all.indexOf(agent), 1);
      return send({ id });
    case "POST agents/*/archive":
    case "POST agents/*/unarchive":
      agent.archived = third === "archive";
      return send({ id });
    case "POST agents/*/runs":
      if (agent.archived) throw new Refusal(409, "The agent is archived.", "agent_archived");
      if (isWorking(agent)) throw new Refusal(409, "A run goes on.", "agent_busy");
      return send({ run: shown(agent, agents.start(agent, body)) }, 201);
    case "GET agents/*/runs":
      return send(page(agent.runs.toReversed(), query, (run) => shown(agent, run)));
    case "GET agents/*/usage":
      return send(usage(agent, query.get("runId")));
    case "GET agents/*/artifacts":
      return send({ items: [{ path: "artifacts/shot.png", sizeBytes: 3, updatedAt: agent.updatedAt }] });
    case "GET agents/*/artifacts/download":
      if (!query.get("path")?.startsWith("artifacts/")) throw new Refusal(400, "The path must be below artifacts/.");
      return send({ url: "https://example.com/signed", expiresAt: new Date(Date.now() + 900_000).toISOString() });
  }
  const run = agent.runs.find((one) => one.id === runId);
  if (run === undefined) throw new Refusal(404, "There is no such run.", "run_not_found");
  switch (what) {
    case "GET agents/*/runs/*":
      return send(shown(agent, run));
    case "GET agents/*/runs/*/stream":
      return stream(run, call, response, faults);
    case "POST agents/*/runs/*/cancel":
      if (run.status !== "CREATING" && run.status !== "RUNNING")
        throw new Refusal(409, "The run is over.", "run_not_cancellable");
      run.abort.abort();
      return send({ id: runId });
  }
  throw new Refusal(404, "There is no such endpoint.");
}

export const isNewer = ({ id }: AgentRecord): boolean => id.startsWith("bc-");

function create(agents: Agents, body: Fields): object {
  const id = textOf(body["agentId"]) || `bc-${randomUUID()}`;
  if (textOf(fieldsOf(body["prompt"])["text"]) === "")
    throw new Refusal(400, "The prompt is missing.", "invalid_request");
  if (body["agentId"] !== undefined && body["envVars"] !== undefined)
    throw new Refusal(400, "agentId cannot be combined with envVars.", "invalid_request");
  if (agents.find(id) !== undefined) throw new Refusal(409, "The id is taken.", "agent_id_conflict");
  const model = textOf(fieldsOf(body["model"])["id"]);
  if (model !== "" && !models.some((one) => one.id === model)) throw new Refusal(400, `Unknown model ${model}`);
  const repos = Array.isArray(body["repos"]) ? body["repos"].map(fieldsOf) : [];
  const agent = agents.create(id, body, repos);
  const run = agents.start(agent, body);
  return { agent: whole(agent), run: shown(agent, run) };
}

function page<Item extends { readonly id: string }>(
  all: readonly Item[],
  query: URLSearchParams,
  show: (item: Item) => object,
): object {
  const limit = Math.min(Number(query.get("limit") ?? 20) || 20, 100);
  const from = Math.max(
    0,
    all.findIndex(({ id }) => id === query.get("cursor")),
  );
  const next = all[from + limit];
  return { items: all.slice(from, from + limit).map(show), ...(next !== undefined && { nextCursor: next.id }) };
}

function summary(agent: AgentRecord): object {
  const { id, name, archived, createdAt, updatedAt, runs } = agent;
  const status = archived ? "ARCHIVED" : isWorking(agent) ? "ACTIVE" : "IDLE";
  const url = `https://cursor.com/agents/${id}`;
  return { id, name, status, env: { type: "cloud" }, url, createdAt, updatedAt, latestRunId: runs.at(-1)?.id };
}

const whole = (agent: AgentRecord): object => ({
  ...summary(agent),
  repos: agent.repos,
  workOnCurrentBranch: agent.asked["workOnCurrentBranch"] === true,
  autoCreatePR: agent.asked["autoCreatePR"] === true,
});

function shown(agent: AgentRecord, run: RunRecord): object {
  const { id, status, createdAt, updatedAt, durationMs, result, error } = run;
  const pushed = durationMs === undefined ? undefined : gitOf(agent);
  return { id, agentId: agent.id, status, createdAt, updatedAt, durationMs, result, error, git: pushed };
}

function usage({ runs }: AgentRecord, runId: string | null): object {
  const meant = runs.filter(({ id }) => runId === null || id === runId);
  if (runId !== null && meant.length === 0) throw new Refusal(404, "There is no such run.", "run_not_found");
  const tokens = ({ usage: { input, output, cacheRead, cacheWrite } }: RunRecord) => ({
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    totalTokens: input + output + cacheRead + cacheWrite,
  });
  return { totalUsage: {}, runs: meant.map((run) => ({ id: run.id, usage: tokens(run) })) };
}
