/** Whether agents are ready, their status for users, and which of them run. */
import type { Agent, AgentEntry, ModelInfo, Readiness } from "../../agents/contract.ts";
import type { AgentStatus, RunningAgent } from "../api.ts";
import type { LogOpener } from "../log/open-log.ts";
import { noCapabilities } from "../../events/capabilities.ts";
import { toReinsError } from "../../events/errors.ts";
import type { Redactor } from "../../events/redact.ts";
import { listRunning } from "../../process/stop/reap.ts";

export interface StatusOptions {
  readonly entry: AgentEntry | undefined;
  readonly redact: Redactor;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function statusOf(agent: Agent, found: Readiness, { entry, redact, env }: StatusOptions): AgentStatus {
  const { id, name, capabilities, promptHelp } = agent;
  return {
    ...redact.deep(found),
    id,
    name,
    experimental: entry?.experimental === true,
    builtIn: entry?.builtIn === true,
    // Only the family id itself is a family; `<family>:<name>` is an agent.
    ...(entry?.family === true && entry.id === id && { family: true }),
    capabilities,
    promptHelp,
    keyVariables: agent.keyVariables,
    keysSet: agent.keyVariables?.filter((variable) => (env[variable] ?? "") !== ""),
    testedVersion: agent.proof?.install?.version ?? agent.proof?.version,
  };
}

export function brokenStatus(entry: AgentEntry, thrown: unknown): AgentStatus {
  const help = `It could not be loaded: ${toReinsError(thrown).message}`;
  return {
    id: entry.id,
    name: entry.name,
    ready: false,
    installed: false,
    signedIn: "unknown",
    experimental: entry.experimental === true,
    builtIn: entry.builtIn === true,
    capabilities: noCapabilities,
    help,
  };
}

/** Adds the models of a ready agent. Listing them may start its program, so it is done for one agent and not for all. */
export async function withModels(
  status: AgentStatus,
  models: (() => Promise<readonly ModelInfo[]>) | undefined,
): Promise<AgentStatus> {
  if (!status.ready || status.models !== undefined || models === undefined) return status;
  try {
    return { ...status, models: await models() };
  } catch (thrown) {
    return { ...status, help: `Its models could not be listed: ${toReinsError(thrown).message}` };
  }
}

export class Readinesses {
  readonly #known = new Map<string, Promise<Readiness>>();
  readonly #changing = new Set<string>();

  of(agent: Agent, fresh = false): Promise<Readiness> {
    const known = fresh ? undefined : this.#known.get(agent.id);
    if (known !== undefined) return known;
    const asked = agent.probe();
    if (this.#changing.has(agent.id)) return asked;
    this.#known.set(agent.id, asked);
    const forget = () => {
      if (this.#known.get(agent.id) === asked) this.#known.delete(agent.id);
    };
    asked.then((found) => {
      if (!found.ready) forget();
    }, forget);
    return asked;
  }

  drop(id: string): void {
    this.#known.delete(id);
  }

  /** The user is about to sign in or out in a terminal that Reins does not see, so probe every time from now on. */
  changing(id: string): void {
    this.drop(id);
    this.#changing.add(id);
  }
}

/** The running agents with the titles and folders of their sessions. */
export async function running(keeping: LogOpener, home: string): Promise<readonly RunningAgent[]> {
  const processes = await listRunning(home);
  // Running agents are listed even without a store.
  const store = await keeping.store().catch(() => undefined);
  return processes.map(({ agent, pid, owner, session: id }) => {
    const session = id === undefined ? undefined : store?.sessions.get(id);
    return { agent, pid, owner, session: id, title: session?.title, cwd: session?.cwd };
  });
}
