/** Finds agent files: the user's in `agents/` of the user's folder, a project's in `.reins/agents/` of the folder or a parent. */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { isAgentName, readAgentFile, type AgentFile } from "./agent-file.ts";
import { loadConfiguration } from "./config.ts";
import { parseFrontMatter } from "./front-matter.ts";
import { userFolder, type Environment } from "./config-files.ts";

type AgentFileRef = Pick<AgentFile, "id" | "path" | "whose">;

export class AgentFiles {
  readonly #refs: readonly AgentFileRef[];
  readonly #personsMode: Mode | undefined;

  private constructor(refs: readonly AgentFileRef[], personsMode: Mode | undefined) {
    this.#refs = refs;
    this.#personsMode = personsMode;
  }

  /** `personsMode` is the widest mode that a project's file may select. */
  static async find(cwd: string, env: Environment, personsMode: Mode | undefined): Promise<AgentFiles> {
    const [person, project] = await Promise.all([
      namesIn(join(userFolder(env), "agents"), "person"),
      projectsNames(cwd),
    ]);
    return new AgentFiles([...(person ?? []), ...project], personsMode);
  }

  static async persons(env: Environment): Promise<readonly string[]> {
    return ((await namesIn(join(userFolder(env), "agents"), "person")) ?? []).map(({ path }) => path);
  }

  get names(): readonly string[] {
    return [...new Set(this.#refs.map(({ id }) => id).filter(isAgentName))];
  }

  /**
   * Returns the file of that name. The user's file wins over the project's: settings that a project's file omits
   * would otherwise widen what the user's file restricts. Throws when the file is invalid or its fallbacks form a
   * circle.
   */
  async get(name: string): Promise<AgentFile | undefined> {
    const file = await this.#read(name);
    if (file !== undefined) await this.#refuseCircle(file, [name]);
    return file;
  }

  /** Lists all files; an invalid file does not hide the others. */
  list(): Promise<readonly (AgentFile | (AgentFileRef & { readonly error: ReinsError }))[]> {
    return Promise.all(
      this.#refs.map(async (ref) => {
        try {
          const [first] = this.#refs.filter(({ id }) => id === ref.id);
          if (first !== ref)
            throw new ReinsError(
              "invalid_input",
              `It is not used, because you have an agent file of that name: ${first?.path}.`,
            );
          return (await this.get(ref.id)) ?? (await readAgentFile(ref.path, ref.whose, this.#personsMode));
        } catch (thrown) {
          return { ...ref, error: toReinsError(thrown) };
        }
      }),
    );
  }

  async #read(name: string): Promise<AgentFile | undefined> {
    const ref = isAgentName(name) ? this.#refs.find(({ id }) => id === name) : undefined;
    return ref && (await readAgentFile(ref.path, ref.whose, this.#personsMode));
  }

  /** A fallback file may have fallbacks of its own. `known` contains files that lead to no circle. */
  async #refuseCircle(file: AgentFile, above: readonly string[], known = new Set<string>()): Promise<void> {
    for (const name of file.fallback ?? []) {
      if (above.includes(name))
        throw new ReinsError("invalid_input", `The fallback goes in a circle: ${[...above, name].join(" → ")}.`, {
          help: `Change \`fallback\` in ${file.path}.`,
        });
      if (known.has(name)) continue;
      const next = await this.#read(name);
      if (next !== undefined) await this.#refuseCircle(next, [...above, name], known);
      known.add(name);
    }
  }
}

async function projectsNames(cwd: string): Promise<readonly AgentFileRef[]> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = await namesIn(join(folder, ".reins", "agents"), "project");
    if (found !== undefined || folder === dirname(folder)) return found ?? [];
  }
}

async function namesIn(folder: string, whose: AgentFile["whose"]): Promise<readonly AgentFileRef[] | undefined> {
  const names = await readdir(folder).catch(() => undefined);
  return names
    ?.filter((name) => name.endsWith(".md"))
    .toSorted()
    .map((name) => ({ id: name.slice(0, -".md".length), path: join(folder, name), whose }));
}

/** Variables of all agent files, under unique names. Invalid files are skipped here; their users report the problem. */
export async function agentFileVariables(env: Environment): Promise<Readonly<Record<string, string>>> {
  const paths = await AgentFiles.persons(env);
  const found = await Promise.all(paths.map((path) => variablesOf(path).catch(() => [])));
  return Object.fromEntries(found.flat());
}

async function variablesOf(path: string): Promise<readonly (readonly [string, string])[]> {
  if (!(await stat(path)).isFile()) return [];
  const { env } = (await parseFrontMatter(await readFile(path, "utf8"))).values;
  if (typeof env !== "object" || env === null) return [];
  // Only plain values become variables: a missing value must not count as a secret "null".
  const plain = Object.entries(env).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  return plain.map(([name, value]) => [`${path} ${name}`, String(value)]);
}

/** An agent file as listed for people. */
export interface AgentFileInfo
  extends
    AgentFileRef,
    Partial<Pick<AgentFile, "name" | "description" | "agent" | "model" | "mode" | "fallback" | "color" | "locale">> {
  /** Settings that were ignored, one sentence each. */
  readonly ignored?: readonly string[];
  /** Why the file cannot be used, or is not used. */
  readonly problem?: string | undefined;
}

export async function agentFileInfos(
  cwd: string,
  env: Environment,
  agents: readonly string[],
): Promise<readonly AgentFileInfo[]> {
  const folder = await realpath(cwd).catch(() => cwd);
  // Problems of the configuration are reported where it is used.
  const configured = await loadConfiguration(folder, env).catch(() => undefined);
  const files = await AgentFiles.find(folder, env, configured?.files.person?.value.mode);
  return (await files.list()).map((file) => {
    const { id, path, whose } = file;
    if ("error" in file) return { id, path, whose, problem: file.error.message };
    const { name, description, agent, model, mode, fallback, color, locale, ignored } = file;
    const problem = agents.includes(id) ? "It is not used, because an agent has that name." : undefined;
    const shown = { name, description, agent, model, mode, fallback, color, locale, ignored };
    return { id, path, whose, ...shown, problem };
  });
}
