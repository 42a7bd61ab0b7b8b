/** What Reins has to say about a session that is not quite what was asked for. */
import type { AgentEvent } from "../../events/types.ts";

/** Behind the news that the session has begun, which comes first. */
export async function* remarked(
  messages: readonly string[],
  events: AsyncIterable<readonly AgentEvent[]>,
): AsyncGenerator<readonly AgentEvent[], void, undefined> {
  let untold = messages.map((message): AgentEvent => ({
    type: "notice",
    level: "warning",
    code: "divergence",
    message,
  }));
  for await (const batch of events) {
    const at = batch[0]?.type === "session.started" ? 1 : 0;
    yield untold.length === 0 ? batch : batch.toSpliced(at, 0, ...untold);
    untold = [];
  }
}
