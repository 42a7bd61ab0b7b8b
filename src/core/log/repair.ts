/** Repairs the log of a Reins that died: the recorder ends what is open, as that Reins would have done, so the laws hold. */
import { limitsWith } from "../../events/limits.ts";
import type { Redactor } from "../../events/redact.ts";
import type { EventType, ReinsEvent } from "../../events/types.ts";
import type { StoredSession, StoredSessions } from "./types.ts";
import { Recorder } from "../record/recorder.ts";

/** Events that are not needed after their turn, because the log also has their result. */
const passing: readonly EventType[] = ["message.delta", "thought.delta", "tool.progress", "turn.phase"];

/** The events needed to continue a session: everything of an open turn, and only the lasting events of finished turns. */
export function eventsToGoOnFrom(sessions: StoredSessions, { id, openTurn }: StoredSession): readonly ReinsEvent[] {
  if (openTurn === undefined) return sessions.read(id, { without: passing });
  const began = sessions.turns(id).findLast((turn) => turn.id === openTurn)?.firstSeq ?? 1;
  return [
    ...sessions.read(id, { without: passing }).filter(({ seq }) => seq < began),
    ...sessions.read(id, { after: began - 1 }),
  ];
}

/** Returns the events that are missing at the end of a log. Empty when the log is complete. */
export function repair(events: readonly ReinsEvent[], redact: Redactor, now?: () => number): readonly ReinsEvent[] {
  const last = events.at(-1);
  if (last === undefined) return [];
  const recorder = new Recorder({
    sessionId: last.sessionId,
    redact,
    limits: limitsWith(undefined),
    ...(now && { now }),
  });
  for (const event of events) recorder.restore(event);
  recorder.endLeg();
  recorder.endTurn({
    outcome: "interrupted",
    error: { code: "agent_crashed", message: "Reins ended in the middle of the turn.", retryable: true },
  });
  return recorder.take();
}
