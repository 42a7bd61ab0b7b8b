import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Folders that may contain package.json: above the sources, or above the build. */
export const packageFolders: readonly string[] = [
  join(import.meta.dirname, ".."),
  join(import.meta.dirname, "..", ".."),
];

export function ownVersion(): string {
  const file = packageFolders.map((folder) => join(folder, "package.json")).find((path) => existsSync(path));
  return file === undefined ? "0" : (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

/** The words a user types to run this command. In a clone or a project it is `npx reins`, because `reins` is not on the PATH. */
export function commandName(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env["npm_command"] === "exec" ? "npx reins" : "reins";
}
