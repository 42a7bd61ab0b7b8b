/** The vocabulary as types, inferred from the schemas; importing this loads nothing. */
import type { z } from "zod";
import type * as base from "./schema/base.ts";
import type { agentEventSchema, reinsEventSchema } from "./schema/index.ts";
import type * as permission from "./schema/permission.ts";
import type * as tool from "./schema/tool.ts";
import type * as turn from "./schema/turn.ts";

/** An event as readers see it. */
export type ReinsEvent = z.infer<typeof reinsEventSchema>;
export type EventType = ReinsEvent["type"];
/** The event of one type: `EventOf<"tool.started">`. */
export type EventOf<Type extends EventType> = Extract<ReinsEvent, { type: Type }>;

/** An event of an agent, before the core adds the envelope. */
export type AgentEvent = z.infer<typeof agentEventSchema>;
export type AgentEventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { type: Type }>;

type Unstamped<Event> = Event extends unknown
  ? Omit<Event, "v" | "seq" | "time" | "sessionId" | "turnId" | "agent">
  : never;
/** An event without its envelope. */
export type EventPayload = Unstamped<ReinsEvent>;

export type Tokens = z.infer<typeof base.tokensSchema>;
export type Location = z.infer<typeof base.locationSchema>;
export type Content = z.infer<typeof base.contentSchema>;
export type AttachmentRef = z.infer<typeof base.attachmentRefSchema>;
export type ToolOutput = z.infer<typeof tool.toolOutputSchema>;
export type TaskStatus = (typeof tool.taskStatuses)[number];
export type PermissionOption = z.infer<typeof permission.permissionOptionSchema>;
export type Question = z.infer<typeof permission.questionSchema>;
export type Outcome = (typeof turn.outcomes)[number];
export type PlanEntry = EventOf<"plan.updated">["entries"][number];
