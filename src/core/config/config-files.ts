import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import type { Configuration } from "./config.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigurationFile {
  readonly path: string;
  readonly value: Configuration;
}

export function readUsers(env: Environment): Promise<ConfigurationFile | undefined> {
  return readConfiguration(join(userFolder(env), "config.json"));
}

/** Finds the nearest project configuration: in the folder or a parent. `remark` is a sentence to show to the user. */
export async function readProjects(cwd: string): Promise<{ file?: ConfigurationFile; remark?: string }> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const named = await readConfiguration(join(folder, "reins.config.json"));
    const hidden = await readConfiguration(join(folder, ".reins", "config.json"), named !== undefined);
    const file = named ?? hidden;
    if (file !== undefined) {
      const both = named !== undefined && hidden !== undefined;
      return both ? { file, remark: `${file.path} is used; ${hidden.path} beside it is ignored.` } : { file };
    }
    if (folder === dirname(folder)) return {};
  }
}

/** `passedOver`: the file is not used, so its content is not checked. */
async function readConfiguration(path: string, passedOver = false): Promise<ConfigurationFile | undefined> {
  const text = await textOf(path);
  if (text === undefined) return undefined;
  if (passedOver) return { path, value: {} };
  // Load zod only when there is a configuration file.
  const { parseConfiguration } = await import("./config-schema.ts");
  // Compute line numbers only for errors: a valid file may have a hundred thousand rules.
  const lines = async () => (await import("./json-lines.ts")).jsonLines(text);
  let why: string;
  try {
    return { path, value: await parseConfiguration(JSON.parse(text), async () => (await lines()).lineOf) };
  } catch (thrown) {
    if (thrown instanceof SyntaxError) {
      const { brokenLine: line } = await lines();
      why = `it is not JSON${line === undefined ? "" : `, from line ${line} on`}.`;
    } else why = thrown instanceof Error ? thrown.message : String(thrown);
  }
  throw cannotUse(path, why);
}

/** Undefined when there is no file. An unreadable file is an error, because it may contain restrictions. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    // A symlink in a cloned project may point to a device, which has no end.
    if (!(await stat(path)).isFile()) throw cannotUse(path, "it is not a file.");
    return (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  } catch (thrown) {
    if (thrown instanceof ReinsError) throw thrown;
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw cannotUse(path, `it cannot be read (${code}).`);
  }
}

function cannotUse(path: string, why: string): ReinsError {
  return new ReinsError("invalid_input", `The configuration ${path} cannot be used: ${why}`, {
    help: "Correct it or remove it.",
  });
}

/** Never a path relative to the current folder: files there belong to a project, which has fewer rights. */
export function userFolder(env: Environment): string {
  if (env["REINS_HOME"]) return resolve(env["REINS_HOME"]);
  const config = env["XDG_CONFIG_HOME"];
  const folder = config && isAbsolute(config) ? config : join(env["HOME"] || homedir(), ".config");
  return join(folder, "reins");
}
