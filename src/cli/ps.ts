import type { RunningAgent } from "../core/api.ts";
import { asking, print } from "./asking.ts";
import { shortId } from "./sessions.ts";
import { fitted, shortPath, table } from "./table.ts";

/** `reins ps`: what every Reins of this person runs now. */
export async function ps(options: { readonly json?: boolean }, ending: AbortSignal): Promise<void> {
  const found = await asking("Looking", ending, (reins) => reins.running());
  await print(found, options, listing);
}

function listing(running: readonly RunningAgent[]): string {
  if (running.length === 0) return "Nothing runs.\n";
  const rows = running.map(({ agent, pid, owner, session, cwd, title }) => ({
    cells: [
      String(pid),
      agent,
      String(owner),
      session === undefined ? "" : shortId(session),
      shortPath(cwd ?? ""),
      title ?? "",
    ],
  }));
  return fitted(table(["pid", "agent", "reins", "session", "folder", "title"], rows));
}
