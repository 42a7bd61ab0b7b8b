/** A run that tells nothing by itself is looked at, less and less often. The older API tells what was said; the newer only how it ended. */
import type { AgentEvent } from "../../events/types.ts";
import { backoff } from "./backoff.ts";
import { isOver } from "./client.ts";
import { conversation } from "./client-v0.ts";
import type { Following } from "./follow.ts";

/** Right after a prompt the older API may still tell how the one before it ended. */
const looksAtLeast = 5;

export async function* poll(following: Following): AsyncGenerator<readonly AgentEvent[], void, void> {
  const { api, client, agentId, runId, translation, signal } = following;
  let began = client.version === "v1";
  for (let look = 1; !signal.aborted; look++) {
    const run = await client.run(agentId, runId, { signal });
    const over = isOver(run.status);
    const said = client.version === "v0" ? await newWords(following) : [];
    began ||= !over || said.length > 0 || look >= looksAtLeast;
    if (said.length > 0) yield said;
    // The older API told all that was said; what it has beside that is a summary of it.
    if (over && began) return yield translation.finish(client.version === "v0" ? { ...run, result: undefined } : run);
    await api.clock.sleep(backoff(look, api.settings.pollMs), signal);
  }
}

/** What the agent said since the last look. How many messages there were then stands where a stream has its last event. */
async function newWords(following: Following): Promise<readonly AgentEvent[]> {
  const { api, agentId, runId, signal } = following;
  const messages = await conversation(api, agentId, signal);
  // Of a run that somebody else began it is not known what came before it: what follows the last prompt is its own.
  const known =
    following.lastId === "" ? messages.findLastIndex(({ role }) => role === "person") + 1 : Number(following.lastId);
  following.lastId = String(messages.length);
  return messages.slice(known).flatMap(({ role, text }, index): AgentEvent[] => {
    if (role === "person" || text === "") return [];
    const messageId = `${runId}/${known + index}`;
    return [
      { type: "message.delta", messageId, text },
      { type: "message.completed", messageId, text },
    ];
  });
}
