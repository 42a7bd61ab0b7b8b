/** The version of a program that npm installed, read beside it: starting some programs takes a second and more, only to say that. */
import { readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";

/** How far above the program its package may begin. */
const levels = 4;

/** Undefined where the program is not of this package: then it has to be asked. */
export async function packageVersion(program: string, name: string): Promise<string | undefined> {
  let folder = dirname(await realpath(program).catch(() => program));
  for (let level = 0; level < levels; level++, folder = dirname(folder)) {
    const found = await readPackage(join(folder, "package.json"));
    if (found?.name === name && typeof found.version === "string") return found.version;
  }
  return undefined;
}

async function readPackage(file: string): Promise<{ name?: unknown; version?: unknown } | undefined> {
  try {
    return Object(JSON.parse(await readFile(file, "utf8"))) as object;
  } catch {
    return undefined;
  }
}
