import { withReins } from "./asking.ts";
import { cloudAgent, meant } from "./cloud-agent.ts";
import { EventShow } from "./cloud-show.ts";
import { untilEnding } from "./ending.ts";

/** `reins cloud logs`: what was said and done there so far, as far as its service tells. */
export async function cloudLogs(
  name: string,
  options: { readonly agent?: string; readonly json?: boolean },
  ending: AbortSignal,
): Promise<void> {
  using view = new EventShow(options.json === true);
  await withReins(async (reins) => {
    view.screen.status("Asking");
    const which = await untilEnding(ending, cloudAgent(reins, options.agent));
    const { id } = await meant(reins, which, name);
    for (const event of await untilEnding(ending, which.cloud.conversation(id))) await view.show(event);
  });
}
