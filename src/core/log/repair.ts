/** What a Reins that died left open in a session's log is ended as it would have ended it: by the record, which keeps the laws. */
import { limitsWith } from "../../events/limits.ts";
import type { Redactor } from "../../events/redact.ts";
import type { EventType, ReinsEvent } from "../../events/types.ts";
import type { StoredSession, StoredSessions } from "./types.ts";
import { Recorder } from "../record/recorder.ts";

/** What says nothing that matters once its turn is over: how it ended stands in the log too. */
const passing: readonly EventType[] = ["message.delta", "thought.delta", "tool.progress", "turn.phase"];

export function eventsToGoOnFrom(sessions: StoredSessions, { id, openTurn }: StoredSession): readonly ReinsEvent[] {
  if (openTurn === undefined) return sessions.read(id, { without: passing });
  const began = sessions.turns(id).findLast((turn) => turn.id === openTurn)?.firstSeq ?? 1;
  return [
    ...sessions.read(id, { without: passing }).filter(({ seq }) => seq < began),
    ...sessions.read(id, { after: began - 1 }),
  ];
}

/** The events that are missing at the end of a log, so that it is whole. None where it is. */
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
