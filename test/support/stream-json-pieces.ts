/** The same conversation with and without partial messages. */
import type { AgentEvent } from "../../src/events/types.ts";
import type { Lines } from "./damage.ts";

export function withoutPieces<Capture extends Lines>(capture: Capture): Capture {
  const lines = capture.lines.filter(({ msg }) => (msg as { type?: unknown } | null)?.type !== "stream_event");
  return { ...capture, lines };
}

const pieces = new Set(["message.delta", "thought.delta", "turn.phase", "message.discarded"]);

/** What was said in whole messages, whatever they are called. */
export function saidWhole(events: readonly AgentEvent[]): AgentEvent[] {
  return events
    .filter(({ type }) => !pieces.has(type))
    .map((event) => ("messageId" in event ? { ...event, messageId: "" } : event));
}
