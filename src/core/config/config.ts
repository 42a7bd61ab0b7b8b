/**
 * The configuration of the user (`config.json` in the user's folder) and of a project (`reins.config.json` in the
 * workspace or a parent). A project may come from anywhere, so its configuration can only restrict what an agent may
 * do.
 */
import type { z } from "zod";
import { modes, type Mode } from "../../events/modes.ts";
import { lowered } from "../budget/budget.ts";
import type { Rule } from "../policy/rule.ts";
import { readUsers, readProjects, type ConfigurationFile, type Environment } from "./config-files.ts";
import type { configurationSchema } from "./config-schema.ts";
import { uiOver } from "../../view/ui-settings.ts";
import { routeOver } from "../route/route-options.ts";

export interface Configuration extends Readonly<Omit<z.infer<typeof configurationSchema>, "$schema" | "policy">> {
  /** Not merged, because the owner of a rule matters. `files` has the rules of each. */
  readonly policy?: { readonly rules?: readonly Rule[] | undefined } | undefined;
}

/** Settings of one agent. With `acp` they define an additional agent, otherwise they change an existing one. */
export type AgentSettings = NonNullable<Configuration["agents"]>[string];

export type Ignored = Partial<Record<keyof Configuration, string>>;

export interface LoadedConfiguration extends Configuration {
  readonly ignored: Ignored;
  readonly remarks: readonly string[];
  readonly files: { readonly person?: ConfigurationFile; readonly project?: ConfigurationFile };
  /** True when the after-steps come from the project: they run only with the user's consent. */
  readonly projectsAfter: boolean;
  readonly projectsAgent: boolean;
  readonly projectsFallback: boolean;
}

export async function loadConfiguration(cwd: string, env: Environment): Promise<LoadedConfiguration> {
  const [person, { file: project, remark }] = await Promise.all([readUsers(env), readProjects(cwd)]);
  const merged = narrowed(person?.value ?? {}, project?.value ?? {});
  return {
    ...merged,
    agent: env["REINS_AGENT"] || merged.agent,
    model: env["REINS_MODEL"] || merged.model,
    remarks: remark === undefined ? [] : [remark],
    files: { ...(person && { person }), ...(project && { project }) },
    projectsAfter: project?.value.after !== undefined,
    projectsAgent: !env["REINS_AGENT"] && merged.agent !== person?.value.agent,
    projectsFallback: project?.value.fallback !== undefined,
  };
}

/** Reads only the user's file: a project may not define commands. */
export async function loadPersonsAgents(env: Environment): Promise<Readonly<Record<string, AgentSettings>>> {
  return (await readUsers(env))?.value.agents ?? {};
}

/** The project's values over the user's, as far as they do not widen anything. */
function narrowed(person: Configuration, project: Configuration): Configuration & { readonly ignored: Ignored } {
  const mode = narrower(project.mode, person.mode);
  const budget = lowered(person.budget, project.budget);
  const fallback = project.fallback?.filter(namesAgent);
  return {
    agent: namesAgent(project.agent) ? project.agent : person.agent,
    model: project.model ?? person.model,
    mode,
    agents: modelsOver(person.agents, project.agents),
    fallback: fallback ?? person.fallback,
    route: routeOver(person.route, project.route),
    budget: budget.value,
    after: project.after ?? person.after,
    continue: project.continue ?? person.continue,
    store: person.store,
    // The user decides how the interface looks, and a saved choice must take effect.
    ui: person.ui === undefined && project.ui === undefined ? undefined : uiOver(person.ui, project.ui),
    ignored: {
      ...(project.mode !== mode &&
        project.mode !== undefined && { mode: `The project asks for mode ${project.mode}; only you can allow that.` }),
      ...(project.agent !== undefined &&
        !namesAgent(project.agent) && { agent: "The project names a command as its agent; only you can start one." }),
      ...(Object.values(project.agents ?? {}).some(({ model: _model, ...rest }) => Object.keys(rest).length > 0) && {
        agents: "The project sets commands, arguments or variables of agents; only you can do that.",
      }),
      ...(fallback?.length !== project.fallback?.length && {
        fallback: "The project names a command as a fallback; only you can start one.",
      }),
      ...(project.store !== undefined && {
        store: "The project says what is to be kept of sessions; only you can do that.",
      }),
      ...(person.ui !== undefined && project.ui !== undefined && { ui: "You have set this yourself." }),
      ...(budget.higher.length > 0 && {
        budget: `The project asks for a higher budget (${budget.higher.join(", ")}) than you set; yours counts.`,
      }),
    },
  };
}

/** From a project's agent settings only the models are used. */
function modelsOver(
  person: Configuration["agents"] = {},
  project: Configuration["agents"] = {},
): Configuration["agents"] {
  const ids = [...new Set([...Object.keys(person), ...Object.keys(project)])];
  return Object.fromEntries(ids.map((id) => [id, { ...person[id], model: project[id]?.model ?? person[id]?.model }]));
}

/** False for ids with a colon: the part after it is a command, and commands from a project are not run. */
export function namesAgent(agent: string | undefined): boolean {
  return agent !== undefined && !agent.includes(":");
}

/** Without a mode of the user the limit is `ask`: a project's `edits` or `full` counts only when the user set as much. */
export function narrower(project: Mode | undefined, person: Mode | undefined): Mode | undefined {
  if (project === undefined) return person;
  return modes.indexOf(project) <= modes.indexOf(person ?? "ask") ? project : person;
}
