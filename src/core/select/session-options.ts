/** Merges the options of a session: the caller's over those of the agent file over the configuration. */
import type { SessionOptions } from "../api.ts";
import { stepsOf } from "../session/after-steps.ts";
import { chosenByProject, withAgentFile, type AgentFile } from "../config/agent-file.ts";
import { AgentFiles } from "../config/agent-files.ts";
import { budgetOver, refuseNoAmount } from "../budget/budget.ts";
import type { LoadedConfiguration } from "../config/config.ts";
import type { Environment } from "../config/config-files.ts";
import type { Registry, DefaultAgent } from "../catalog/registry.ts";
import type { Mode } from "../../events/modes.ts";
import { ReinsError } from "../../events/errors.ts";

export interface ResolvedOptions {
  readonly options: SessionOptions;
  readonly usual: readonly DefaultAgent[];
  readonly remarks: readonly string[];
  readonly agentFile: string | undefined;
  /** True when the after-steps come from the project: they run only with the user's consent. */
  readonly projectsAfter: boolean;
  readonly projectsFallback: boolean;
}

export interface OptionSources {
  readonly wanted: SessionOptions;
  readonly cwd: string;
  readonly env: Environment;
  readonly configured: LoadedConfiguration;
  readonly defaults: DefaultAgent & { readonly mode?: Mode | undefined };
  readonly registry: Registry;
  readonly byProject: boolean;
}

export async function resolveOptions(asking: OptionSources): Promise<ResolvedOptions> {
  const { wanted, configured, defaults } = asking;
  const usual = wanted.resume === undefined ? (defaults.agent ?? configured.agent) : undefined;
  const named = wanted.agentFile ?? wanted.agent ?? usual;
  const file = await fileNamed(named, asking);
  const { options, remarks } =
    file === undefined ? { options: wanted, remarks: [] } : await withAgentFile(wanted, file, asking.cwd);
  const agent = wanted.agentFile === undefined ? options.agent : wanted.agent;
  const after = options.after ?? configured.after;
  // Report an invalid command before anything starts.
  stepsOf(after);
  refuseNoAmount(options.budget);
  return {
    options: {
      ...options,
      agent,
      fallback: options.fallback ?? configured.fallback,
      budget: budgetOver(configured.budget, options.budget),
      after,
      continue: options.continue ?? configured.continue,
    },
    // A default that names an agent file was used already and is not an agent id.
    usual: [defaults, configured].map((usual) =>
      file && usual.agent === named ? { ...usual, agent: undefined } : usual,
    ),
    remarks,
    agentFile: file?.id,
    projectsAfter:
      wanted.after === undefined && (file?.after === undefined ? configured.projectsAfter : file.whose === "project"),
    projectsFallback:
      wanted.fallback === undefined &&
      (file?.fallback === undefined ? configured.projectsFallback : file.whose === "project"),
  };
}

/** An agent takes precedence over a file of its name: a file from a project must not replace it. */
async function fileNamed(
  name: string | undefined,
  { wanted, cwd, env, configured, defaults, registry, byProject }: OptionSources,
): Promise<AgentFile | undefined> {
  if (name === undefined || registry.entryOf(name) !== undefined) return undefined;
  const personsMode = defaults.mode ?? configured.files.person?.value.mode;
  const files = await AgentFiles.find(cwd, env, personsMode);
  const file = await files.get(name);
  if (file === undefined && wanted.agentFile !== undefined)
    throw new ReinsError("invalid_input", `The agent file ${name} of this session does not exist.`, {
      help: "Restore it, or name an agent.",
    });
  if (file === undefined) throw registry.unknown(name, files.names);
  // Also when a session continues that the project's setting started.
  const unnamed = wanted.agentFile !== undefined || (wanted.agent ?? defaults.agent) === undefined;
  return byProject || (unnamed && configured.projectsAgent && name === configured.agent)
    ? chosenByProject(file, personsMode)
    : file;
}
