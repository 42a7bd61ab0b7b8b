/**
 * Zod schemas of all events. Importing this file loads zod (about 70 ms), so performance-critical code imports only
 * the types (`../types.ts`). The schemas validate input from outside, and every event in tests.
 */
import { z } from "zod";
import * as agent from "./agent.ts";
import * as message from "./message.ts";
import * as permission from "./permission.ts";
import * as session from "./session.ts";
import * as tool from "./tool.ts";
import * as turn from "./turn.ts";

const envelope = {
  /** Version of the event format. */
  v: z.literal(1),
  /** Number of the event in its session: from 1, without gaps. */
  seq: z.number().int().positive(),
  /** ISO 8601 in UTC with milliseconds: `2026-11-15T20:00:00.000Z`. */
  time: z.string(),
  /** The session's id in Reins, which is not the agent's own id of the conversation. */
  sessionId: z.string(),
  /** The turn that the event belongs to. Missing on events between turns. */
  turnId: z.string().optional(),
  /** Id of the agent that held the session at that time. */
  agent: z.string(),
};

/** Events that an agent may emit. The core consumes `turn.ended` and `tool.held`; readers never see them. */
export const agentEventSchema = z.discriminatedUnion("type", [
  session.sessionStarted,
  session.sessionUpdated,
  turn.turnPhase,
  message.messageDelta,
  message.messageCompleted,
  message.messageDiscarded,
  message.thoughtDelta,
  message.thoughtCompleted,
  tool.toolStarted,
  tool.toolProgress,
  tool.toolCompleted,
  tool.toolFailed,
  tool.taskStarted,
  tool.taskUpdated,
  tool.fileChanged,
  tool.planUpdated,
  permission.permissionRequested,
  permission.permissionResolved,
  permission.questionRequested,
  permission.questionResolved,
  agent.usageUpdated,
  agent.limitUpdated,
  agent.contextCompacted,
  agent.agentRetrying,
  agent.notice,
  agent.processExited,
  turn.turnEnded,
  tool.toolHeld,
]);

/** Events that a reader sees. */
export const reinsEventSchema = z.discriminatedUnion("type", [
  session.sessionStarted.extend(envelope),
  session.sessionUpdated.extend(envelope),
  turn.turnStarted.extend(envelope),
  turn.turnPhase.extend(envelope),
  turn.inputAdded.extend(envelope),
  turn.turnCompleted.extend(envelope),
  message.messageDelta.extend(envelope),
  message.messageCompleted.extend(envelope),
  message.messageDiscarded.extend(envelope),
  message.thoughtDelta.extend(envelope),
  message.thoughtCompleted.extend(envelope),
  tool.toolStarted.extend(envelope),
  tool.toolProgress.extend(envelope),
  tool.toolCompleted.extend(envelope),
  tool.toolFailed.extend(envelope),
  tool.taskStarted.extend(envelope),
  tool.taskUpdated.extend(envelope),
  tool.fileChanged.extend(envelope),
  tool.planUpdated.extend(envelope),
  permission.permissionRequested.extend(envelope),
  permission.permissionResolved.extend(envelope),
  permission.questionRequested.extend(envelope),
  permission.questionResolved.extend(envelope),
  agent.usageUpdated.extend(envelope),
  agent.limitUpdated.extend(envelope),
  agent.contextCompacted.extend(envelope),
  agent.agentRetrying.extend(envelope),
  agent.agentSwitched.extend(envelope),
  agent.notice.extend(envelope),
  agent.processExited.extend(envelope),
]);
