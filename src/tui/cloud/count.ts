/** Counts running cloud agents for the status bar. Asks the service once a minute, and only while its agent is ready. */
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../app/app.ts";
import { working } from "./panel.ts";

const everyMs = 60_000;
/** Longest interval after repeated failures. */
const longestMs = 16 * everyMs;

/** Runs until the interface ends. */
export async function watchCloudAgents(app: App): Promise<void> {
  const { signal } = app.leaving;
  for (let waitMs = everyMs; !signal.aborted;) {
    waitMs = (await countCloudAgents(app)) ? everyMs : Math.min(waitMs * 2, longestMs);
    await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Returns false when the service could not be asked; the last count stays. */
export async function countCloudAgents(app: App): Promise<boolean> {
  const agent = app.agents.find(({ ready, capabilities }) => ready && capabilities.elsewhere === true);
  if (agent === undefined) return true;
  try {
    const { cloud } = await (await app.reins()).manage(agent.id);
    const count = cloud === undefined ? 0 : working((await cloud.list({ limit: 100 })).agents);
    if (count !== app.cloudAgents) {
      app.cloudAgents = count;
      app.draw();
    }
    return true;
  } catch {
    return false;
  }
}
