import { asking } from "./asking.ts";
import { cloudAgent, meant } from "./cloud-agent.ts";
import { Screen } from "./screen.ts";

/** `reins cloud stop`: ends the run that goes on there; the agent stays, and can be spoken to again. */
export async function cloudStop(
  names: readonly string[],
  options: { readonly agent?: string },
  ending: AbortSignal,
): Promise<void> {
  const screen = new Screen();
  await asking("Stopping", ending, async (reins) => {
    const which = await cloudAgent(reins, options.agent);
    for (const name of names) {
      const { id } = await meant(reins, which, name);
      screen.line((await which.cloud.stop(id)) ? `Stopped ${id}.` : `No run of ${id} goes on.`);
    }
  });
}
