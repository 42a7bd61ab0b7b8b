import { z } from "zod";
import { common, contentSchema, kindSchema, locationSchema, toolSchema } from "./base.ts";

/** A tool call started. It ends with `tool.completed` or `tool.failed`. */
export const toolStarted = z.object({
  type: z.literal("tool.started"),
  /** Identifies the call in all its events. */
  callId: z.string(),
  /** Canonical tool name. */
  tool: toolSchema,
  /** The agent's own name of the tool. */
  nativeName: z.string(),
  /** Category of the tool, as in ACP. */
  kind: kindSchema,
  /** Title in one line: "Edit src/app.ts". */
  title: z.string(),
  /** The tool's input in the agent's own format. */
  input: z.unknown(),
  /** Files that the call affects. */
  locations: z.array(locationSchema).optional(),
  ...common,
});

/** A running tool call reported output, or more about its input. */
export const toolProgress = z.object({
  type: z.literal("tool.progress"),
  callId: z.string(),
  /** New output. Append it to the output so far. */
  output: z.string().optional(),
  /** The input as known now, when it was incomplete at the start. */
  input: z.unknown().optional(),
  /** A title that replaces the earlier one. */
  title: z.string().optional(),
  locations: z.array(locationSchema).optional(),
  ...common,
});

/** Output of a tool call. */
export const toolOutputSchema = z.object({
  /** The text, or its beginning when it was cut. */
  text: z.string(),
  /** Blocks that are not plain text, such as images. */
  content: z.array(contentSchema).optional(),
  /** Reference of the whole output in the store. Set when the output was cut and there is a store. */
  ref: z.string().optional(),
  /** Bytes of the whole text. */
  bytes: z.number(),
  /** Bytes of `text`. Smaller than `bytes` when the output was cut. */
  kept: z.number(),
});

/** A tool call ended with a result. */
export const toolCompleted = z.object({
  type: z.literal("tool.completed"),
  callId: z.string(),
  output: toolOutputSchema,
  durationMs: z.number().optional(),
  /** Exit code of a command that ran to its end; anything but 0 means that the command failed. */
  exitCode: z.number().optional(),
  ...common,
});

/** A tool call ended without a result. */
export const toolFailed = z.object({
  type: z.literal("tool.failed"),
  callId: z.string(),
  /** The failure, for people. */
  error: z.object({ message: z.string(), code: z.string().optional(), exitCode: z.number().optional() }),
  /** Why there is no result. `unfinished`: the turn ended first. */
  reason: z.enum(["error", "denied", "cancelled", "timeout", "unfinished"]),
  ...common,
});

export const taskStatuses = ["running", "completed", "failed", "stopped"] as const;

/** Started work that may outlive its call and its turn: a subagent, or a command in the background. */
export const taskStarted = z.object({
  type: z.literal("task.started"),
  /** Identifies the task in all its events. */
  taskId: z.string(),
  /** The tool call that started the task. */
  callId: z.string().optional(),
  kind: z.enum(["subagent", "shell", "other"]),
  /** Title for people. */
  title: z.string(),
  status: z.enum(taskStatuses),
  ...common,
});

/** The status of a task changed. */
export const taskUpdated = z.object({
  type: z.literal("task.updated"),
  taskId: z.string(),
  callId: z.string().optional(),
  title: z.string().optional(),
  status: z.enum(taskStatuses),
  /** Result of the task, for people. */
  summary: z.string().optional(),
  ...common,
});

/** A file changed. Sent after the change, never for a proposed edit. */
export const fileChanged = z.object({
  type: z.literal("file.changed"),
  /** Relative to the workspace when the file is inside it, otherwise absolute. */
  path: z.string(),
  /** Kind of change. */
  op: z.enum(["create", "modify", "delete", "move"]),
  /** The previous path. Set only for `move`. */
  oldPath: z.string().optional(),
  /** The change as a unified diff. */
  diff: z.string().optional(),
  /** Number of added lines. */
  added: z.number().optional(),
  /** Number of removed lines. */
  removed: z.number().optional(),
  /** The tool call that made the change, when known. */
  callId: z.string().optional(),
  ...common,
});

/** The agent changed its plan (todo list). */
export const planUpdated = z.object({
  type: z.literal("plan.updated"),
  /** The whole plan, which replaces the earlier one. */
  entries: z.array(
    z.object({
      text: z.string(),
      status: z.enum(["pending", "in_progress", "completed"]),
      priority: z.enum(["low", "medium", "high"]).optional(),
    }),
  ),
  ...common,
});

/** Internal, from an agent to the core: a tool call waits for the decision of the policy. Readers never see it. */
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
  /** The proposed edit, shown in a permission request. */
  diff: z.string().optional(),
  reason: z.string().optional(),
  /** Set when the caller's tool filter names this tool. */
  filter: z.enum(["allowed", "disallowed"]).optional(),
  /** True when the canonical tool was guessed from the tool's name. */
  guessed: z.boolean().optional(),
  ...common,
});
