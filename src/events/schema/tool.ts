import { z } from "zod";
import { common, contentSchema, kindSchema, locationSchema, toolSchema } from "./base.ts";

export const toolStarted = z.object({
  type: z.literal("tool.started"),
  /** The same in every event of this call. */
  callId: z.string(),
  /** The canonical tool. */
  tool: toolSchema,
  /** The agent's own name of it. */
  nativeName: z.string(),
  /** What sort of tool it is. */
  kind: kindSchema,
  /** One line a person reads: "Edit src/app.ts". */
  title: z.string(),
  /** As the agent gave it. */
  input: z.unknown(),
  /** The files it is about. */
  locations: z.array(locationSchema).optional(),
  ...common,
});

export const toolProgress = z.object({
  type: z.literal("tool.progress"),
  callId: z.string(),
  /** A further piece of output. */
  output: z.string().optional(),
  /** The input, where more of it is known now. */
  input: z.unknown().optional(),
  /** A better title than that of the start. */
  title: z.string().optional(),
  locations: z.array(locationSchema).optional(),
  ...common,
});

export const toolOutputSchema = z.object({
  /** As much of it as is kept. */
  text: z.string(),
  /** Blocks that are not text. */
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
  /** Of a command that ran to its end; not 0 means that the command failed. */
  exitCode: z.number().optional(),
  ...common,
});

export const toolFailed = z.object({
  type: z.literal("tool.failed"),
  callId: z.string(),
  /** What went wrong, for people. */
  error: z.object({ message: z.string(), code: z.string().optional(), exitCode: z.number().optional() }),
  /** Why there is no result. */
  reason: z.enum(["error", "denied", "cancelled", "timeout", "unfinished"]),
  ...common,
});

export const taskStatuses = ["running", "completed", "failed", "stopped"] as const;

/** Work that may outlive its call and its turn: a subagent, a shell in the background. */
export const taskStarted = z.object({
  type: z.literal("task.started"),
  /** The same in every event of this task. */
  taskId: z.string(),
  /** The call that started it. */
  callId: z.string().optional(),
  kind: z.enum(["subagent", "shell", "other"]),
  /** For people. */
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
  /** What came of it, for people. */
  summary: z.string().optional(),
  ...common,
});

/** A file changed. Only after it happened, never from a proposal. */
export const fileChanged = z.object({
  type: z.literal("file.changed"),
  /** Relative to the workspace where it is inside. */
  path: z.string(),
  /** What happened to it. */
  op: z.enum(["create", "modify", "delete", "move"]),
  /** For `move`: where it was. */
  oldPath: z.string().optional(),
  /** Unified. */
  diff: z.string().optional(),
  /** How many lines. */
  added: z.number().optional(),
  /** How many lines. */
  removed: z.number().optional(),
  /** The call that did it, where that is known. */
  callId: z.string().optional(),
  ...common,
});

export const planUpdated = z.object({
  type: z.literal("plan.updated"),
  /** The whole plan, each time. */
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
  /** For whoever is asked about it. */
  diff: z.string().optional(),
  reason: z.string().optional(),
  /** The caller's filter names it. */
  filter: z.enum(["allowed", "disallowed"]).optional(),
  /** The canonical tool was guessed from the tool's name. */
  guessed: z.boolean().optional(),
  ...common,
});
