import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

export function stateHome(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env["REINS_HOME"]) return resolve(env["REINS_HOME"]);
  const home = env["HOME"] || homedir();
  if (platform === "darwin") return join(home, "Library", "Application Support", "reins");
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "reins");
  const state = env["XDG_STATE_HOME"];
  return join(state && isAbsolute(state) ? state : join(home, ".local", "state"), "reins");
}

export function ledgerFolder(home: string): string {
  return join(home, "run");
}
