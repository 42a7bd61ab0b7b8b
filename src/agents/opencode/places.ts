/** Where OpenCode keeps its things: the same folders on every system. */
import { homedir } from "node:os";
import { join } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

export function settingsFolder(env: Environment): string {
  return join(env["XDG_CONFIG_HOME"] || join(homeOf(env), ".config"), "opencode");
}

export function dataFolder(env: Environment): string {
  return join(env["XDG_DATA_HOME"] || join(homeOf(env), ".local", "share"), "opencode");
}

export function authFile(env: Environment): string {
  return join(dataFolder(env), "auth.json");
}

function homeOf(env: Environment): string {
  return env["HOME"] || homedir();
}
