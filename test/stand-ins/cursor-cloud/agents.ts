/** The agents of the service and their runs. */
import { randomUUID } from "node:crypto";
import { fieldsOf, textOf, type Fields } from "../agent-loop/index.ts";
import type { AgentRecord, RunRecord, World } from "./types.ts";
import { work } from "./work.ts";

export class Agents {
  /** Newest first. */
  readonly all: AgentRecord[] = [];
  #world: World = { modelUrl: "http://127.0.0.1:9", cwd: process.cwd() };
  #events = 0;
  onEnd: (agent: AgentRecord, run: RunRecord) => void = () => {};

  connect(world: World): void {
    this.#world = world;
  }

  find(id: string): AgentRecord | undefined {
    return this.all.find((agent) => agent.id === id);
  }

  create(id: string, asked: Fields, repos: readonly Fields[]): AgentRecord {
    const now = new Date().toISOString();
    const words = textOf(fieldsOf(asked["prompt"])["text"]);
    const agent: AgentRecord = {
      id,
      name: textOf(asked["name"]) || words.split("\n")[0]?.slice(0, 60) || "An agent",
      createdAt: now,
      updatedAt: now,
      repos,
      asked,
      messages: [],
      runs: [],
      archived: false,
      mode: "agent",
      model: "scripted-1",
      mcpServers: [],
    };
    this.all.unshift(agent);
    return agent;
  }

  start(agent: AgentRecord, asked: Fields): RunRecord {
    const now = new Date().toISOString();
    const run: RunRecord = {
      id: `run-${randomUUID()}`,
      status: "CREATING",
      createdAt: now,
      updatedAt: now,
      events: [],
      listeners: new Set(),
      abort: new AbortController(),
      result: undefined,
      error: undefined,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      durationMs: undefined,
      done: Promise.resolve(),
    };
    agent.runs.push(run);
    agent.mode = textOf(asked["mode"]) || agent.mode;
    agent.model = textOf(fieldsOf(asked["model"])["id"]) || textOf(asked["model"]) || agent.model;
    if (Array.isArray(asked["mcpServers"])) agent.mcpServers = asked["mcpServers"].map(fieldsOf);
    const prompt = fieldsOf(asked["prompt"]);
    // The answer to the request is sent before the run starts.
    run.done = new Promise<void>((resolve) => setImmediate(resolve)).then(() =>
      work(agent, run, prompt, this.#world, {
        tell: (type, data) => this.#tell(run, type, data),
        end: (status, result) => this.#end(agent, run, status, result),
      }),
    );
    return run;
  }

  async forget(): Promise<void> {
    const runs = this.all.splice(0).flatMap((agent) => agent.runs);
    for (const run of runs) run.abort.abort();
    await Promise.all(runs.map(({ done }) => done.catch(() => {})));
  }

  #tell(run: RunRecord, type: string, data: object): void {
    run.updatedAt = new Date().toISOString();
    // The first event of every connection is created with the connection.
    if (type !== "status") run.events.push({ id: `${Date.now()}-${this.#events++}`, type, data });
    for (const listener of run.listeners) listener();
  }

  #end(agent: AgentRecord, run: RunRecord, status: RunRecord["status"], result?: string): void {
    run.status = status;
    run.result = result;
    run.durationMs = Date.now() - Date.parse(run.createdAt);
    agent.updatedAt = new Date().toISOString();
    const { id, durationMs } = run;
    this.#tell(run, "result", { runId: id, status, text: result, durationMs, git: gitOf(agent) });
    this.#tell(run, "done", {});
    this.onEnd(agent, run);
  }
}

export const isWorking = ({ runs }: AgentRecord): boolean => {
  const status = runs.at(-1)?.status;
  return status === "CREATING" || status === "RUNNING";
};

/** A new branch in each repository, and a pull request if requested. */
export function gitOf({ id, repos, asked }: AgentRecord): object | undefined {
  const branch = `cursor/${id.slice(3, 11)}`;
  const wantsPr = asked["autoCreatePR"] === true || fieldsOf(asked["target"])["autoCreatePr"] === true;
  const branches = repos.map((repo) => {
    const repoUrl = textOf(repo["url"]).replace(/^https?:\/\//, "");
    return { repoUrl, branch, ...(wantsPr && { prUrl: `https://${repoUrl}/pull/1` }) };
  });
  return branches.length === 0 ? undefined : { branches };
}
