/** What a session's options come to: which agent, in which folder, with which mode and model, and what has to be said about it. */
import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Agent, AgentEntry } from "../agents/contract.ts";
import { variableOf } from "../agents/variable.ts";
import { ReinsError } from "../events/errors.ts";
import { modes } from "../events/modes.ts";
import type { Mode } from "../events/modes.ts";
import type { ReinsOptions, SessionOptions } from "./api.ts";
import { loadConfiguration } from "./configuration.ts";
import type { Configuration, Ignored } from "./configuration.ts";
import { divergences } from "./divergences.ts";
import type { ModelLists } from "./model-lists.ts";
import { doubts, ownName } from "./models.ts";
import { refuseMode } from "./policy.ts";
import type { Registry } from "./registry.ts";
import type { Remark } from "./session.ts";

export interface Chosen {
  readonly agent: Agent;
  readonly entry: AgentEntry | undefined;
  readonly cwd: string;
  /** Which folder it is: one that is made anew under the same name is another. */
  readonly folder: string;
  readonly mode: Mode;
  /** As the agent spells them. */
  readonly model: string | undefined;
  readonly fallbackModel: string | undefined;
  readonly configured: Configuration & { readonly ignored: Ignored };
}

export class Choosing {
  readonly #registry: Registry;
  readonly #models: ModelLists;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #defaults: NonNullable<ReinsOptions["defaults"]>;

  constructor(registry: Registry, models: ModelLists, { env, defaults }: Pick<ReinsOptions, "env" | "defaults">) {
    this.#registry = registry;
    this.#models = models;
    this.#env = env ?? process.env;
    this.#defaults = defaults ?? {};
  }

  async choose(wanted: SessionOptions): Promise<Chosen> {
    for (const name of [wanted.model, wanted.fallbackModel]) refuseNoName(name);
    const { cwd, folder } = await folderOf(wanted.cwd ?? process.cwd());
    const configured = await loadConfiguration(cwd, this.#env);
    const agent = await this.#registry.choose(wanted, [this.#defaults, configured]);
    const mode = wanted.mode ?? this.#defaults.mode ?? configured.mode ?? "ask";
    if (!modes.includes(mode)) {
      throw new ReinsError("invalid_input", `There is no mode ${String(mode)}.`, {
        help: `Choose one of ${modes.join(", ")}.`,
      });
    }
    refuseMode(agent, mode);
    const entry = this.#registry.entryOf(agent.id);
    const own = (name: string | undefined) => (name === undefined ? undefined : ownName(entry, name));
    const model = own(wanted.model ?? this.#usualModel(agent, configured));
    return { agent, entry, cwd, folder, mode, model, fallbackModel: own(wanted.fallbackModel), configured };
  }

  #usualModel(agent: Agent, configured: Configuration): string | undefined {
    return (
      this.#registry.meant(agent, this.#defaults.model) ??
      (this.#env[variableOf(agent.id, "MODEL")] ||
        (configured.agents?.[agent.id]?.model ?? this.#registry.meant(agent, configured.model)))
    );
  }

  /** What was asked for and is not done, or looks like a slip. */
  async remarks(wanted: SessionOptions, { agent, entry, configured, model }: Chosen): Promise<readonly Remark[]> {
    const { ignored } = configured;
    const named = wanted.agent !== undefined || wanted.resume !== undefined;
    const said = [
      !named && model === undefined && configured.model !== undefined
        ? `${agent.name} does not have the configured model ${configured.model}; it uses its own.`
        : undefined,
      wanted.mode === undefined ? ignored.mode : undefined,
      wanted.agent === undefined ? ignored.agent : undefined,
      ignored.agents,
      ...divergences(agent, wanted),
    ].filter((message) => message !== undefined);
    const doubt = model && doubts(entry, model, await this.#models.remembered(agent.id));
    return [
      ...said.map((message) => ({ code: "divergence", message }) as const),
      ...(doubt ? [{ code: "model_unknown", message: doubt } as const] : []),
    ];
  }
}

function refuseNoName(model: unknown): void {
  if (model === undefined || (typeof model === "string" && model.trim() !== "")) return;
  throw new ReinsError("invalid_input", "The name of the model is empty.", { help: "Leave it out for the usual one." });
}

async function folderOf(cwd: string): Promise<{ cwd: string; folder: string }> {
  const path = resolve(cwd);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new ReinsError("invalid_input", `The folder ${path} does not exist.`);
  if (!found.isDirectory()) throw new ReinsError("invalid_input", `${path} is not a folder.`);
  // Its number alone may be given to the next one.
  return { cwd: await realpath(path), folder: `${found.dev}:${found.ino}:${found.birthtimeMs}` };
}
