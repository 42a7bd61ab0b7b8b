/** Who is to be compared must be there and ready before anything is made. */
import { namesAgent } from "../../core/configuration.ts";
import type { Reins } from "../../core/api.ts";
import { ReinsError } from "../../events/errors.ts";

export async function requireAgents(
  reins: Reins,
  cwd: string,
  entries: readonly { readonly agent: string }[],
): Promise<void> {
  const [statuses, clouds, files] = await Promise.all([reins.agents(), reins.clouds(), reins.agentFiles({ cwd })]);
  for (const id of new Set(entries.map(({ agent }) => agent))) {
    const status = statuses.find((one) => one.id === id);
    if (clouds.includes(id))
      throw new ReinsError("unsupported", `${status?.name ?? id} works elsewhere, and not in a worktree here.`, {
        agent: id,
        help: "Compare agents that work on this machine.",
      });
    if (status === undefined) {
      // Whoever does not know it says which one may be meant.
      if (namesAgent(id) && !files.some(({ name }) => name === id)) await reins.agent(id);
    } else if (!status.ready)
      throw new ReinsError(
        status.installed ? "not_authenticated" : "not_installed",
        `${status.name} is not ready, so nobody has begun.`,
        { agent: id, ...(status.help !== undefined && { help: status.help }) },
      );
  }
}
