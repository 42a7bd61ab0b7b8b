/**
 * What a person and a project set once. `.reins/config.json` in the workspace or a folder above it, and `config.json` in the
 * person's own folder. A project comes from anywhere, so it may narrow what an agent may do and never widen it.
 */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ReinsError } from "../events/errors.ts";
import { modes } from "../events/modes.ts";
import type { Mode } from "../events/modes.ts";

export interface Configuration {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  /** By id. */
  readonly agents?: Readonly<Record<string, AgentSettings>> | undefined;
}

/** What is set for one agent. With `acp` it is an agent of its own; else it is about one that exists. */
export interface AgentSettings {
  /** The command that speaks ACP: a command line without a shell, or a program and its arguments. */
  readonly acp?: string | readonly string[] | undefined;
  /** What people read; with `acp`. */
  readonly name?: string | undefined;
  /** Names of variables that it is given as they are; with `acp`. */
  readonly variables?: readonly string[] | undefined;
  /** Its program: a name or a path, or a program and its first arguments. */
  readonly command?: string | readonly string[] | undefined;
  /** Further arguments of its command line. */
  readonly args?: readonly string[] | undefined;
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Its model where none is named. */
  readonly model?: string | undefined;
}

export async function loadConfiguration(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Configuration & { readonly ignored: Ignored }> {
  const person = await readConfiguration(personsFile(env));
  const project = await projectConfiguration(cwd);
  const mode = narrower(project.mode, person.mode);
  return {
    agent: env["REINS_AGENT"] || (namesAgent(project.agent) ? project.agent : person.agent),
    model: env["REINS_MODEL"] || (project.model ?? person.model),
    mode,
    agents: modelsOver(person.agents, project.agents),
    ignored: ignoredOf(project, mode),
  };
}

/** The person's own alone: what a project says names no commands. */
export async function loadPersonsAgents(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, AgentSettings>>> {
  return (await readConfiguration(personsFile(env))).agents ?? {};
}

/** Of what a project says about agents only their models count. */
function modelsOver(
  person: Configuration["agents"] = {},
  project: Configuration["agents"] = {},
): Configuration["agents"] {
  const ids = [...new Set([...Object.keys(person), ...Object.keys(project)])];
  return Object.fromEntries(ids.map((id) => [id, { ...person[id], model: project[id]?.model ?? person[id]?.model }]));
}

/** What a project asked for and does not get, in a sentence. */
export interface Ignored {
  readonly mode?: string;
  readonly agent?: string;
  readonly agents?: string;
}

function ignoredOf(project: Configuration, mode: Mode | undefined): Ignored {
  return {
    ...(project.mode !== mode &&
      project.mode !== undefined && { mode: `The project asks for mode ${project.mode}; only you can allow that.` }),
    ...(project.agent !== undefined &&
      !namesAgent(project.agent) && { agent: "The project names a command as its agent; only you can start one." }),
    ...(Object.values(project.agents ?? {}).some(namesMore) && {
      agents: "The project sets commands, arguments or variables of agents; only you can do that.",
    }),
  };
}

/** More than a model. */
function namesMore({ model: _model, ...rest }: AgentSettings): boolean {
  return Object.keys(rest).length > 0;
}

/** What goes on after a colon is a command, and a command from anywhere is nothing to run. */
function namesAgent(agent: string | undefined): boolean {
  return agent !== undefined && !agent.includes(":");
}

/** Without a word of the person's the default is `ask`: a project's `edits` or `full` counts only where the person set as much. */
function narrower(project: Mode | undefined, person: Mode | undefined): Mode | undefined {
  if (project === undefined) return person;
  return modes.indexOf(project) <= modes.indexOf(person ?? "ask") ? project : person;
}

/** Never a path from the current folder: what lies there is a project's, and a project's word counts less. */
function personsFile(env: Readonly<Record<string, string | undefined>>): string {
  if (env["REINS_HOME"]) return resolve(env["REINS_HOME"], "config.json");
  const config = env["XDG_CONFIG_HOME"];
  const folder = config && isAbsolute(config) ? config : join(env["HOME"] || homedir(), ".config");
  return join(folder, "reins", "config.json");
}

async function projectConfiguration(cwd: string): Promise<Configuration> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = await readConfiguration(join(folder, ".reins", "config.json"));
    if (Object.keys(found).length > 0 || folder === dirname(folder)) return found;
  }
}

async function readConfiguration(path: string): Promise<Configuration> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return {};
  }
  // Only a person who has a configuration pays for loading the schema library.
  const { parseConfiguration } = await import("./configuration-schema.ts");
  try {
    return parseConfiguration(JSON.parse(text));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ReinsError("invalid_input", `The configuration ${path} cannot be used: ${why}`, {
      help: "Correct it or remove it.",
      cause: thrown,
    });
  }
}
