/** The management of a session's agent. */
import type { Management } from "../../core/api.ts";
import { ReinsError } from "../../events/errors.ts";
import type { App } from "../app/app.ts";
import type { SessionView } from "../app/session-view.ts";

/** Throws with how to choose an agent when there is none yet. */
export async function managementOf(
  app: App,
  view: SessionView = app.sessions.active,
): Promise<{ readonly id: string; readonly name: string; readonly management: Management }> {
  const reins = await app.reins();
  const id = view.agent ?? app.agents.find(({ ready }) => ready)?.id;
  if (id === undefined) throw new ReinsError("invalid_input", "No agent is chosen yet. Choose one with /agent.");
  const name = app.agents.find((agent) => agent.id === id)?.name ?? id;
  return { id, name, management: await reins.manage(id) };
}
