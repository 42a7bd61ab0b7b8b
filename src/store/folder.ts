/** The folder for the user's data. */
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

export function dataFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env["REINS_HOME"]) return resolve(env["REINS_HOME"]);
  const home = env["HOME"] || homedir();
  if (platform === "darwin") return join(home, "Library", "Application Support", "reins");
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "reins");
  const data = env["XDG_DATA_HOME"];
  return join(data && isAbsolute(data) ? data : join(home, ".local", "share"), "reins");
}
