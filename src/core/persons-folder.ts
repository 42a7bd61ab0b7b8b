import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Never a path from the current folder: what lies there is a project's, and a project's word counts less. */
export function personsFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (env["REINS_HOME"]) return resolve(env["REINS_HOME"]);
  const config = env["XDG_CONFIG_HOME"];
  const folder = config && isAbsolute(config) ? config : join(env["HOME"] || homedir(), ".config");
  return join(folder, "reins");
}
