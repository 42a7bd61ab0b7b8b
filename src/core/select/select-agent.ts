/** Resolves the options of a session to an agent, folder, mode and model, with remarks for the user. */
import { realpath, stat } from "node:fs/promises";
import type { Agent, AgentEntry } from "../../agents/contract.ts";
import { variableOf } from "../../agents/variable.ts";
import { ReinsError } from "../../events/errors.ts";
import { modes, type Mode } from "../../events/modes.ts";
import { absolutePath, currentFolder } from "../../process/launch/current-folder.ts";
import type { ReinsOptions, SessionOptions } from "../api.ts";
import { resolveOptions, type ResolvedOptions } from "./session-options.ts";
import { loadConfiguration, type Configuration, type LoadedConfiguration } from "../config/config.ts";
import { unsupportedOptions, restrictionsOf, stripSecrets } from "./unsupported-options.ts";
import type { Forbidden } from "../log/types.ts";
import type { ModelLists } from "../catalog/model-lists.ts";
import { doubts, ownName } from "./model-names.ts";
import { isWithin, refuseMode } from "../permissions/decide.ts";
import { sessionPolicy, type SessionPolicy } from "../policy/session-policy.ts";
import type { Registry } from "../catalog/registry.ts";
import type { StartNotice } from "../session/state.ts";

export interface SessionPlan {
  readonly agent: Agent;
  readonly entry: AgentEntry | undefined;
  readonly cwd: string;
  /** Identifies the folder itself: another folder under the same name differs. */
  readonly folder: string;
  readonly mode: Mode;
  readonly model: string | undefined;
  readonly fallbackModel: string | undefined;
  /** The caller's options merged with the agent file and the configuration. */
  readonly asked: ResolvedOptions;
  /** Restrictions of the caller; those of an agent file are in the file. */
  readonly forbidden: Forbidden | undefined;
  readonly configured: LoadedConfiguration;
  /** The rules for this agent, and the tools left to it. */
  readonly held: SessionPolicy;
}

export class AgentSelector {
  readonly #registry: Registry;
  readonly #models: ModelLists;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #defaults: NonNullable<ReinsOptions["defaults"]>;
  readonly #keeps: boolean;

  constructor(
    registry: Registry,
    models: ModelLists,
    { env, defaults, keepAnswers, store }: Pick<ReinsOptions, "env" | "defaults" | "keepAnswers" | "store">,
  ) {
    this.#registry = registry;
    this.#models = models;
    this.#env = env ?? process.env;
    this.#defaults = defaults ?? {};
    this.#keeps = keepAnswers ?? store !== undefined;
  }

  /** `byProject`: only the project selects the named agent. */
  async choose(called: SessionOptions, byProject = false): Promise<SessionPlan> {
    for (const name of [called.model, called.fallbackModel]) refuseNoName(name);
    const { cwd, folder } = await folderOf(called.cwd ?? currentFolder());
    const configured = await loadConfiguration(cwd, this.#env);
    const [env, defaults, registry] = [this.#env, this.#defaults, this.#registry];
    const all = await resolveOptions({ wanted: called, cwd, env, configured, defaults, registry, byProject });
    const agent = await registry.choose(all.options, all.usual);
    const { options, remarks } = stripSecrets(called, all.options, agent);
    const asked = withoutOwn(called, { ...all, options, remarks: [...all.remarks, ...remarks] }, configured, agent);
    const wanted = asked.options;
    const usual = wanted.mode ?? this.#defaults.mode ?? configured.mode ?? "ask";
    const { widestMode: widest = usual } = called;
    const mode = called.mode ?? (isWithin(usual, widest) ? usual : widest);
    if (!modes.includes(mode)) {
      throw new ReinsError("invalid_input", `There is no mode ${String(mode)}.`, {
        help: `Choose one of ${modes.join(", ")}.`,
      });
    }
    refuseMode(agent, mode);
    const entry = this.#registry.entryOf(agent.id);
    const own = (name: string | undefined) => (name === undefined ? undefined : ownName(entry, name));
    const model = own(wanted.model ?? this.#usualModel(agent, configured));
    const agents = registry.entries.map(({ id }) => id);
    const { protectedFiles } = registry;
    const held = sessionPolicy({ wanted, agent, cwd, env, configured, agents, protectedFiles, keeps: this.#keeps });
    const fallbackModel = own(wanted.fallbackModel);
    const forbidden = restrictionsOf(called);
    return { agent, entry, cwd, folder, mode, model, fallbackModel, asked, forbidden, configured, held };
  }

  #usualModel(agent: Agent, configured: Configuration): string | undefined {
    return (
      this.#registry.meant(agent, this.#defaults.model) ??
      (this.#env[variableOf(agent.id, "MODEL")] ||
        (configured.agents?.[agent.id]?.model ?? this.#registry.meant(agent, configured.model)))
    );
  }

  async remarks({ agent, entry, asked, configured, model, held }: SessionPlan): Promise<readonly StartNotice[]> {
    const wanted = asked.options;
    const { mode, agent: command, ...ignored } = configured.ignored;
    const named = wanted.agent !== undefined || wanted.resume !== undefined;
    const said = [
      !named && model === undefined && configured.model !== undefined
        ? `${agent.name} does not have the configured model ${configured.model}; it uses its own.`
        : undefined,
      wanted.mode === undefined ? mode : undefined,
      wanted.agent === undefined ? command : undefined,
      ...Object.values(ignored),
      ...configured.remarks,
      ...asked.remarks,
      ...unsupportedOptions(agent, wanted),
      ...held.remarks,
    ].filter((message) => message !== undefined);
    const doubt = model && doubts(entry, model, await this.#models.remembered(agent.id));
    return [
      ...said.map((message) => ({ code: "divergence", message }) as const),
      ...(doubt ? [{ code: "model_unknown", message: doubt } as const] : []),
    ];
  }
}

/**
 * Removes the agent itself from the configured fallback, and its agent file's name when that file led to the agent. A
 * fallback named by the caller stays as it is.
 */
function withoutOwn(
  called: SessionOptions,
  asked: ResolvedOptions,
  configured: Configuration,
  { id }: Agent,
): ResolvedOptions {
  const { fallback } = asked.options;
  const named = called.fallback !== undefined || (called.agentFile === undefined && fallback !== configured.fallback);
  if (fallback === undefined || named) return asked;
  const others = fallback.filter((name) => name !== id && name !== asked.agentFile);
  return { ...asked, options: { ...asked.options, fallback: others } };
}

function refuseNoName(model: unknown): void {
  if (model === undefined || (typeof model === "string" && model.trim() !== "")) return;
  throw new ReinsError("invalid_input", "The name of the model is empty.", { help: "Leave it out for the usual one." });
}

async function folderOf(cwd: string): Promise<{ cwd: string; folder: string }> {
  const path = absolutePath(cwd);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new ReinsError("invalid_input", `The folder ${path} does not exist.`);
  if (!found.isDirectory()) throw new ReinsError("invalid_input", `${path} is not a folder.`);
  // The inode alone may be reused, so add the device and the birth time.
  return { cwd: await realpath(path), folder: `${found.dev}:${found.ino}:${found.birthtimeMs}` };
}
