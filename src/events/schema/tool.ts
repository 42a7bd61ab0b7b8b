import { z } from "zod";
import { common, contentSchema, kindSchema, locationSchema, toolSchema } from "./base.ts";

export const toolStarted = z.object({
  type: z.literal("tool.started"),
  callId: z.string(),
  /** The canonical tool. */
  tool: toolSchema,
  /** The agent's own name of it. */
  nativeName: z.string(),
  kind: kindSchema,
  /** One line a person reads: "Edit src/app.ts". */
  title: z.string(),
  /** As the agent gave it. */
  input: z.unknown(),
  locations: z.array(locationSchema).optional(),
  ...common,
});

export const toolProgress = z.object({
  type: z.literal("tool.progress"),
  callId: z.string(),
  /** A further piece of output. */
  output: z.string().optional(),
  input: z.unknown().optional(),
  title: z.string().optional(),
  locations: z.array(locationSchema).optional(),
  ...common,
});

export const toolOutputSchema = z.object({
  text: z.string(),
  content: z.array(contentSchema).optional(),
  /** Where the whole is, when there is a store and it was too long to stand here. */
  ref: z.string().optional(),
  /** How many bytes of text there were. */
  bytes: z.number(),
  /** How many of them are here. */
  kept: z.number(),
});

export const toolCompleted = z.object({
  type: z.literal("tool.completed"),
  callId: z.string(),
  output: toolOutputSchema,
  durationMs: z.number().optional(),
  exitCode: z.number().optional(),
  ...common,
});

export const toolFailed = z.object({
  type: z.literal("tool.failed"),
  callId: z.string(),
  error: z.object({ message: z.string(), code: z.string().optional(), exitCode: z.number().optional() }),
  reason: z.enum(["error", "denied", "cancelled", "timeout", "unfinished"]),
  ...common,
});

export const taskStatuses = ["running", "completed", "failed", "stopped"] as const;

/** Work that may outlive its call and its turn: a subagent, a shell in the background. */
export const taskStarted = z.object({
  type: z.literal("task.started"),
  taskId: z.string(),
  callId: z.string().optional(),
  kind: z.enum(["subagent", "shell", "other"]),
  title: z.string(),
  status: z.enum(taskStatuses),
  ...common,
});

export const taskUpdated = z.object({
  type: z.literal("task.updated"),
  taskId: z.string(),
  callId: z.string().optional(),
  title: z.string().optional(),
  status: z.enum(taskStatuses),
  summary: z.string().optional(),
  ...common,
});

/** A file changed. Only after it happened, never from a proposal. */
export const fileChanged = z.object({
  type: z.literal("file.changed"),
  path: z.string(),
  op: z.enum(["create", "modify", "delete", "move"]),
  oldPath: z.string().optional(),
  /** Unified. */
  diff: z.string().optional(),
  added: z.number().optional(),
  removed: z.number().optional(),
  callId: z.string().optional(),
  ...common,
});

export const planUpdated = z.object({
  type: z.literal("plan.updated"),
  entries: z.array(
    z.object({
      text: z.string(),
      status: z.enum(["pending", "in_progress", "completed"]),
      priority: z.enum(["low", "medium", "high"]).optional(),
    }),
  ),
  ...common,
});

/** Internal, from an agent to the core: a call waits for the policy before anything else happens. Never shown. */
export const toolHeld = z.object({
  type: z.literal("tool.held"),
  requestId: z.string(),
  callId: z.string(),
  tool: toolSchema,
  nativeName: z.string(),
  title: z.string(),
  input: z.unknown(),
  locations: z.array(locationSchema).optional(),
  mcp: z.object({ server: z.string(), tool: z.string() }).optional(),
  ...common,
});
