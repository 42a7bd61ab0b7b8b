/** How much memory processes have. Linux alone tells it cheaply; elsewhere it is not known. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** As on every Linux that Node runs on, but for some with ARM. */
const pageBytes = 4096;

/** Bytes of everything in these process groups; undefined where it cannot be known. */
export async function memoryOf(
  groups: ReadonlySet<number>,
  platform: NodeJS.Platform = process.platform,
  proc = "/proc",
): Promise<number | undefined> {
  if (platform !== "linux") return undefined;
  if (groups.size === 0) return 0;
  const pids = (await readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name));
  // Where it is there, we ourselves are in it.
  if (pids.length === 0) return undefined;
  const stats = await Promise.all(pids.map((pid) => readFile(join(proc, pid, "stat"), "latin1").catch(() => "")));
  let pages = 0;
  for (const stat of stats) {
    // The second field is the program's name in parentheses, with any characters in it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (groups.has(Number(fields[2]))) pages += Number(fields[21]) || 0;
  }
  return pages * pageBytes;
}
