import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** From the sources, or beside what was built. */
export const above: readonly string[] = [join(import.meta.dirname, ".."), join(import.meta.dirname, "..", "..")];

export function ownVersion(): string {
  const file = above.map((folder) => join(folder, "package.json")).find((path) => existsSync(path));
  return file === undefined ? "0" : (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
