/** The plan that its agent for planning wrote down. */
import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const maxBytes = 256 * 1024;

/** The one that was written last, in this session (`since`, in milliseconds); undefined where there is none. */
export async function planIn(cwd: string, since: number): Promise<string | undefined> {
  const folder = join(cwd, ".opencode", "plans");
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".md"));
  const files = await Promise.all(names.map((name) => looked(join(folder, name))));
  const newest = files
    .filter((file) => file !== undefined && file.changedAt >= since && file.size <= maxBytes)
    .toSorted((a, b) => b!.changedAt - a!.changedAt)[0];
  const plan = newest === undefined ? "" : await readFile(newest.path, "utf8").catch(() => "");
  return plan.trim() === "" ? undefined : plan;
}

async function looked(path: string): Promise<{ path: string; changedAt: number; size: number } | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true ? { path, changedAt: found.mtimeMs, size: found.size } : undefined;
}
