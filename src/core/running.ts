import { listRunning } from "../process/listing.ts";
import type { RunningAgent } from "./api.ts";
import type { Keeping } from "./keeping.ts";

/** What runs now, with what is kept of the sessions it runs for. */
export async function running(keeping: Keeping, home: string): Promise<readonly RunningAgent[]> {
  const processes = await listRunning(home);
  // What runs is told also where nothing is kept.
  const store = await keeping.store().catch(() => undefined);
  return processes.map(({ agent, pid, owner, session: id }) => {
    const session = id === undefined ? undefined : store?.sessions.get(id);
    return { agent, pid, owner, session: id, title: session?.title, cwd: session?.cwd };
  });
}
