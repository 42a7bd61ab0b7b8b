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
    ignored: ignoredOf(project, mode),
  };
}

/** What a project asked for and does not get, in a sentence. */
export interface Ignored {
  readonly mode?: string;
  readonly agent?: string;
}

function ignoredOf(project: Configuration, mode: Mode | undefined): Ignored {
  return {
    ...(project.mode !== mode &&
      project.mode !== undefined && { mode: `The project asks for mode ${project.mode}; only you can allow that.` }),
    ...(project.agent !== undefined &&
      !namesAgent(project.agent) && { agent: "The project names a command as its agent; only you can start one." }),
  };
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
