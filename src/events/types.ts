/** Types of all events, inferred from the schemas. Importing this file loads nothing at run time. */
import type { z } from "zod";
import type * as base from "./schema/base.ts";
import type { agentEventSchema, reinsEventSchema } from "./schema/index.ts";
import type * as permission from "./schema/permission.ts";
import type * as tool from "./schema/tool.ts";
import type * as turn from "./schema/turn.ts";

/** An event as readers see it, with its envelope (`seq`, `time`, `sessionId`, ...). Switch on `type`. */
export type ReinsEvent = z.infer<typeof reinsEventSchema>;
/** The type of an event, such as `"tool.started"`. */
export type EventType = ReinsEvent["type"];
/** The event of one type: `EventOf<"tool.started">`. */
export type EventOf<Type extends EventType> = Extract<ReinsEvent, { type: Type }>;

/** An event that an agent emits, before the core adds the envelope. */
export type AgentEvent = z.infer<typeof agentEventSchema>;
export type AgentEventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { type: Type }>;

type Unstamped<Event> = Event extends unknown
  ? Omit<Event, "v" | "seq" | "time" | "sessionId" | "turnId" | "agent">
  : never;
/** An event without its envelope. */
export type EventPayload = Unstamped<ReinsEvent>;

/** Token counts of a turn or a session. */
export type Tokens = z.infer<typeof base.tokensSchema>;
/** A position in a file. */
export type Location = z.infer<typeof base.locationSchema>;
/** A block of content other than plain text: an image, a resource, a diff. */
export type Content = z.infer<typeof base.contentSchema>;
/** Metadata of an attachment, without its bytes. */
export type AttachmentRef = z.infer<typeof base.attachmentRefSchema>;
/** Output of a tool call, cut to the limit `inlineBytes`. */
export type ToolOutput = z.infer<typeof tool.toolOutputSchema>;
/** Status of a background task. */
export type TaskStatus = (typeof tool.taskStatuses)[number];
/** A possible answer to a permission request. */
export type PermissionOption = z.infer<typeof permission.permissionOptionSchema>;
/** A question to the user. */
export type Question = z.infer<typeof permission.questionSchema>;
/** How a turn ended. Only `done` is a success. */
export type Outcome = (typeof turn.outcomes)[number];
/** A step of the agent's plan. */
export type PlanEntry = EventOf<"plan.updated">["entries"][number];
