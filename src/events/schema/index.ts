/**
 * The vocabulary as zod schemas. Importing this file loads zod (some 70 ms), so hot paths import the types only
 * (`../types.ts`); what enters from outside and every event in tests is checked here.
 */
import { z } from "zod";
import * as agent from "./agent.ts";
import * as message from "./message.ts";
import * as permission from "./permission.ts";
import * as session from "./session.ts";
import * as tool from "./tool.ts";
import * as turn from "./turn.ts";

const envelope = {
  /** The version of the vocabulary. */
  v: z.literal(1),
  /** Per session, from 1, no gaps. */
  seq: z.number().int().positive(),
  /** ISO 8601 with milliseconds. */
  time: z.string(),
  /** Made by Reins, not by the agent. */
  sessionId: z.string(),
  /** Missing on what happens between turns. */
  turnId: z.string().optional(),
  /** The id of the agent that holds the session. */
  agent: z.string(),
};

/** What an agent may say. The last two are between an agent and the core only. */
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

/** What a reader sees. */
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
