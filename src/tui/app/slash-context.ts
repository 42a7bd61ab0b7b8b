/** The context of a slash command, from the session on the screen. */
import type { SlashContext } from "../../commands/run.ts";
import { ReinsError } from "../../events/errors.ts";
import type { App } from "./app.ts";

export async function slashContext(app: App): Promise<SlashContext> {
  const view = app.sessions.active;
  const reins = await app.reins();
  const agent =
    view.agent ?? app.agents.find(({ ready }) => ready)?.id ?? (await reins.agents()).find(({ ready }) => ready)?.id;
  if (agent === undefined)
    throw new ReinsError("not_installed", "No agent is ready: /agent shows what each one needs.");
  return {
    ...{
      reins,
      agent,
      model: view.conversation.model ?? view.choice.model,
      mode: view.mode,
      sessionId: view.id,
      cwd: view.cwd,
    },
    ...{ platform: app.host.platform, where: "terminal", own: view.conversation.commands, now: app.now },
  };
}
