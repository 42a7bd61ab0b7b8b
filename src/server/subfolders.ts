/** The folders in a folder, for who types a path: names and nothing else, and only of those that they may work in. */
import { opendir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { mayWorkIn, requireInside } from "./access/roots.ts";
import type { Principal } from "./access/principal.ts";

const most = 200;
/** A folder may have a million files. */
const mostLookedAt = 20_000;

/** Throws where the folder lies elsewhere. One that is not there, or cannot be read, has none. */
export async function subfoldersOf(principal: Principal, typed: string): Promise<readonly string[]> {
  const slash = typed.lastIndexOf("/");
  const [folder, beginning] = [typed.slice(0, slash + 1), typed.slice(slash + 1).toLowerCase()];
  requireInside(principal, folder, "folder");
  const found: string[] = [];
  let looked = 0;
  try {
    // The folder that was allowed is the one that is read, also where the path is a link.
    const real = await realpath(folder);
    if (!mayWorkIn(principal, real)) return [];
    for await (const entry of await opendir(real)) {
      if (found.length >= most || ++looked > mostLookedAt) break;
      const { name } = entry;
      if (!name.toLowerCase().startsWith(beginning) || (name.startsWith(".") && beginning === "")) continue;
      if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
      const path = join(real, name);
      if (entry.isSymbolicLink() && !(mayWorkIn(principal, path) && (await isFolder(path)))) continue;
      found.push(join(folder, name));
    }
  } catch {
    return found;
  }
  return found.sort((a, b) => a.localeCompare(b));
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (one) => one.isDirectory(),
    () => false,
  );
}
