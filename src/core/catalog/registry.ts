/** Lists the agents and selects one for a call. Agents are loaded on first use. */
import type { Agent, AgentContext, AgentEntry } from "../../agents/contract.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import { serves } from "../select/model-names.ts";
import { Readinesses } from "./status.ts";
import { closest } from "../../events/closest.ts";

export interface Wanted {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  /** State to resume. It starts with the agent's id and a colon. */
  readonly resume?: string | undefined;
}

export interface DefaultAgent {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
}

export class Registry {
  entries: readonly AgentEntry[] = [];
  readonly #context: AgentContext;
  readonly #agents = new Map<string, Promise<Agent>>();
  readonly readiness: Readinesses = new Readinesses();

  constructor(entries: readonly AgentEntry[], context: AgentContext) {
    this.#context = context;
    this.learn(entries);
  }

  learn(entries: readonly AgentEntry[]): void {
    this.entries = [...new Map([...this.entries, ...entries].map((entry) => [entry.id, entry])).values()];
    for (const { id } of entries) this.#agents.delete(id);
  }

  /** Configuration files that agents declare as their own. Editing one always needs approval. */
  get protectedFiles(): readonly string[] {
    return this.entries.flatMap((entry) => entry.protectedFiles ?? []);
  }

  get(id: string): Promise<Agent> {
    const entry = this.entryOf(id);
    if (entry === undefined) return Promise.reject(this.unknown(id));
    let agent = this.#agents.get(id);
    if (agent === undefined) {
      agent = this.#load(entry, id);
      this.#agents.set(id, agent);
    }
    return agent;
  }

  entryOf(id: string): AgentEntry | undefined {
    const family = (entry: AgentEntry) => entry.family === true && String(id).startsWith(`${entry.id}:`);
    return this.entries.find((entry) => entry.id === id) ?? this.entries.find(family);
  }

  async #load(entry: AgentEntry, id: string): Promise<Agent> {
    const agent = (await entry.load()).createAgent({ ...this.#context, protectedFiles: this.protectedFiles }, id);
    // Repair after a crash in the background; nothing waits for it.
    agent.recover?.().catch(() => {});
    return agent;
  }

  /** Returns the configured model if this agent serves it, or if no agent is known to serve it. */
  meant({ id }: Agent, model: string | undefined): string | undefined {
    if (model === undefined) return undefined;
    const serving = this.#serving(model);
    return serving.length === 0 || serving.some((entry) => entry.id === id) ? model : undefined;
  }

  /**
   * Selects the agent of a call: by name, by the state to resume, by the model, by the defaults (an agent before a
   * model, earlier entries first), otherwise the first ready agent.
   */
  async choose(wanted: Wanted, usual: readonly DefaultAgent[]): Promise<Agent> {
    const owner = wanted.resume === undefined ? undefined : this.#ownerOf(wanted.resume);
    const id = wanted.agent ?? owner?.id;
    if (wanted.resume !== undefined && (owner === undefined || owner.id !== id)) {
      const whose = owner === undefined ? "it is not a state that Reins created" : `it belongs to ${owner.name}`;
      throw new ReinsError("session_not_found", `This state cannot be resumed here: ${whose}.`, {
        agent: id,
        help:
          owner === undefined
            ? "Use the id of a session from `reins sessions`, or the state of an earlier turn as it was printed."
            : `Resume it with the agent ${owner.id}.`,
      });
    }
    if (id !== undefined) return this.get(id);
    const preferred = usual.find(({ agent }) => agent !== undefined)?.agent;
    if (wanted.model !== undefined) return this.#byModel(wanted.model, preferred);
    for (const { agent, model } of usual) {
      if (agent !== undefined) return this.get(agent);
      if (model !== undefined && this.#serving(model).length > 0) return this.#byModel(model, preferred);
    }
    return this.#firstReady(this.entries.filter((entry) => entry.builtIn !== true && entry.experimental !== true));
  }

  #ownerOf(state: string): Pick<AgentEntry, "id" | "name"> | undefined {
    const [entry] = this.entries
      .filter(({ id }) => state.startsWith(`${id}:`))
      .toSorted((a, b) => b.id.length - a.id.length);
    if (entry?.family !== true) return entry;
    // A family state is `<agent id>:<version>:<rest>`. The id may contain colons, the last two parts do not.
    return { id: state.replace(/:[^:]*:[^:]*$/, ""), name: entry.name };
  }

  #serving(model: string): readonly AgentEntry[] {
    return this.entries.filter((entry) => serves(entry, model));
  }

  async #byModel(model: string, preferred: string | undefined): Promise<Agent> {
    const serving = this.#serving(model);
    if (serving.length === 0) {
      if (preferred !== undefined) return this.get(preferred);
      throw new ReinsError("model_unknown", `No agent is known to serve the model ${model}.`, {
        help: "Say which agent should use it (`agent`, or `-a` on the command line).",
      });
    }
    const only = serving.find((entry) => entry.id === preferred) ?? (serving.length === 1 ? serving[0] : undefined);
    if (only !== undefined) return this.get(only.id);
    const automatic = serving.filter((entry) => entry.builtIn !== true && entry.experimental !== true);
    return this.#firstReady(automatic.length > 0 ? automatic : serving);
  }

  /** Probes all candidates in parallel and returns the first ready one in order. An agent that cannot be loaded is not ready. */
  async #firstReady(candidates: readonly AgentEntry[]): Promise<Agent> {
    const asked = candidates.map(async ({ id, name }) => {
      try {
        const agent = await this.get(id);
        const { ready, help = "not ready" } = await this.readiness.of(agent);
        return { agent: ready ? agent : undefined, help: `${name}: ${help}` };
      } catch (thrown) {
        return { agent: undefined, help: `${name}: ${toReinsError(thrown).message}` };
      }
    });
    const help: string[] = [];
    for (const one of asked) {
      const found = await one;
      if (found.agent !== undefined) return found.agent;
      help.push(found.help);
    }
    const builtIn = this.entries.find((entry) => entry.builtIn === true)?.id;
    // First, because the list of what the others need is long.
    if (builtIn !== undefined)
      help.unshift(
        `The built-in agent ${builtIn} needs no account: choose it with \`agent: "${builtIn}"\`, or \`-a ${builtIn}\` on the command line.`,
      );
    throw new ReinsError("not_installed", "No agent is ready on this machine.", { help: help.join(" ") });
  }

  /** `files` are the names of the existing agent files. */
  unknown(id: string, files: readonly string[] = []): ReinsError {
    const ids = [...this.entries.map((entry) => entry.id), ...files];
    const near = closest(String(id), ids);
    const help = near === undefined ? `Choose one of ${ids.join(", ")}.` : `Did you mean ${near}?`;
    return new ReinsError("invalid_input", `There is no agent ${String(id)}.`, { help });
  }
}
