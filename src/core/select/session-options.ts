/** What was asked for: what the call says, over the agent file that it names, over what is configured. */
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
  /** The after-steps are a project's: they run with the person's word alone. */
  readonly projectsAfter: boolean;
  /** So is the fallback: whom it names, nobody else has asked for. */
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
  // What is no command is told before anything is started.
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
    // A file that is usual has been taken: its name is no agent's.
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

/** An agent goes before a file of its name: a file from anywhere must not take its place. */
async function fileNamed(
  name: string | undefined,
  { wanted, cwd, env, configured, defaults, registry, byProject }: OptionSources,
): Promise<AgentFile | undefined> {
  if (name === undefined || registry.entryOf(name) !== undefined) return undefined;
  const personsMode = defaults.mode ?? configured.files.person?.value.mode;
  const files = await AgentFiles.find(cwd, env, personsMode);
  const file = await files.get(name);
  if (file === undefined && wanted.agentFile !== undefined)
    throw new ReinsError("invalid_input", `The agent file ${name}, by which this session goes, is not there.`, {
      help: "Put it back, or name an agent.",
    });
  if (file === undefined) throw registry.unknown(name, files.names);
  // Also where a session goes on that a project's word began.
  const unnamed = wanted.agentFile !== undefined || (wanted.agent ?? defaults.agent) === undefined;
  return byProject || (unnamed && configured.projectsAgent && name === configured.agent)
    ? chosenByProject(file, personsMode)
    : file;
}
