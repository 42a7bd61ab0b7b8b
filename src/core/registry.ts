/** Which agents there are, and which one is meant. Agents are loaded when they are used, not before. */
import type { Agent, AgentContext, AgentEntry } from "../agents/contract.ts";
import { ReinsError } from "../events/errors.ts";
import { serves } from "./models.ts";
import { Readinesses } from "./readiness.ts";
import { closest } from "./suggest.ts";

export interface Wanted {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  /** A state to resume: it starts with its agent's id and a colon. */
  readonly resume?: string | undefined;
}

export class Registry {
  readonly entries: readonly AgentEntry[];
  readonly #context: AgentContext;
  readonly #agents = new Map<string, Promise<Agent>>();
  readonly readiness: Readinesses = new Readinesses();

  constructor(entries: readonly AgentEntry[], context: AgentContext) {
    this.entries = [...new Map(entries.map((entry) => [entry.id, entry])).values()];
    this.#context = context;
  }

  get(id: string): Promise<Agent> {
    const entry = this.entryOf(id);
    if (entry === undefined) return Promise.reject(this.#unknown(id));
    let agent = this.#agents.get(id);
    if (agent === undefined) {
      agent = this.#load(entry, id);
      this.#agents.set(id, agent);
    }
    return agent;
  }

  /** The entry of an agent, or that of its family. */
  entryOf(id: string): AgentEntry | undefined {
    const family = (entry: AgentEntry) => entry.family === true && String(id).startsWith(`${entry.id}:`);
    return this.entries.find((entry) => entry.id === id) ?? this.entries.find(family);
  }

  async #load(entry: AgentEntry, id: string): Promise<Agent> {
    const agent = (await entry.load()).createAgent(this.#context, id);
    // In the background: what a crash left is repaired, and nobody waits for it.
    agent.recover?.().catch(() => {});
    return agent;
  }

  /** The agent a call means: by name, by the state it resumes, by its model, by configuration, else the first that is ready. */
  async choose(wanted: Wanted, configured: string | undefined): Promise<Agent> {
    const owner = wanted.resume === undefined ? undefined : this.#ownerOf(wanted.resume);
    const id = wanted.agent ?? owner?.id;
    if (wanted.resume !== undefined && (owner === undefined || owner.id !== id)) {
      const whose = owner === undefined ? "it is not a state that Reins gave out" : `it belongs to ${owner.name}`;
      throw new ReinsError("session_not_found", `This state cannot be resumed here: ${whose}.`, {
        agent: id,
        help:
          owner === undefined
            ? "Use the state of an earlier turn as it was printed."
            : `Resume it with the agent ${owner.id}.`,
      });
    }
    if (id !== undefined) return this.get(id);
    if (wanted.model !== undefined) return this.#byModel(wanted.model, configured);
    if (configured !== undefined) return this.get(configured);
    return this.#firstReady(this.entries.filter((entry) => entry.builtIn !== true && entry.experimental !== true));
  }

  #ownerOf(state: string): Pick<AgentEntry, "id" | "name"> | undefined {
    const [entry] = this.entries
      .filter(({ id }) => state.startsWith(`${id}:`))
      .toSorted((a, b) => b.id.length - a.id.length);
    if (entry?.family !== true) return entry;
    // After the id of the one that is meant, which may have colons too, come a version and a part without any.
    return { id: state.replace(/:[^:]*:[^:]*$/, ""), name: entry.name };
  }

  async #byModel(model: string, configured: string | undefined): Promise<Agent> {
    const serving = this.entries.filter((entry) => serves(entry, model));
    if (serving.length === 0) {
      if (configured !== undefined) return this.get(configured);
      throw new ReinsError("model_unknown", `No agent is known to serve the model ${model}.`, {
        help: "Say which agent should use it (`agent`, or `-a` on the command line).",
      });
    }
    const preferred =
      serving.find((entry) => entry.id === configured) ?? (serving.length === 1 ? serving[0] : undefined);
    if (preferred !== undefined) return this.get(preferred.id);
    const automatic = serving.filter((entry) => entry.builtIn !== true && entry.experimental !== true);
    return this.#firstReady(automatic.length > 0 ? automatic : serving);
  }

  async #firstReady(candidates: readonly AgentEntry[]): Promise<Agent> {
    const agents = await Promise.all(candidates.map((entry) => this.get(entry.id)));
    const readiness = await Promise.all(agents.map((agent) => this.readiness.of(agent)));
    const ready = agents.find((_, index) => readiness[index]?.ready === true);
    if (ready !== undefined) return ready;
    const help = readiness.map((one, index) => `${agents[index]?.name}: ${one.help ?? "not ready"}`);
    const builtIn = this.entries.find((entry) => entry.builtIn === true);
    if (builtIn !== undefined) help.push(`Or try the agent ${builtIn.id}, which needs nothing.`);
    throw new ReinsError("not_installed", "No agent is ready on this machine.", { help: help.join(" ") });
  }

  #unknown(id: string): ReinsError {
    const ids = this.entries.map((entry) => entry.id);
    const near = closest(String(id), ids);
    const help = near === undefined ? `Choose one of ${ids.join(", ")}.` : `Did you mean ${near}?`;
    return new ReinsError("invalid_input", `There is no agent ${String(id)}.`, { help });
  }
}
