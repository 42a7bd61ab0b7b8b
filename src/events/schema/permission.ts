import { z } from "zod";
import { common, locationSchema, toolSchema } from "./base.ts";

export const optionKinds = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;

/** A possible answer to a permission request. */
export const permissionOptionSchema = z.object({
  /** Pass this id in the answer. */
  id: z.string(),
  kind: z.enum(optionKinds),
  /** Text of the button, such as "Allow once". */
  label: z.string(),
  /** How far an `always` answer reaches. */
  scope: z.enum(["once", "session", "project", "user"]).optional(),
  /** The rule that this answer would add, in the notation of the configuration. */
  rule: z.string().optional(),
});

/** A tool call waits for approval. A plan approval is a request with tool `plan` and the Markdown text in `input.plan`. */
export const permissionRequested = z.object({
  type: z.literal("permission.requested"),
  /** Pass this id to `session.answer()`. */
  requestId: z.string(),
  /** The tool call that waits. */
  callId: z.string(),
  /** Canonical tool name. */
  tool: toolSchema,
  /** Title in one line: "Edit src/app.ts". */
  title: z.string(),
  /** The tool's input in the agent's own format. */
  input: z.unknown(),
  /** Why the agent asks, in its own words. */
  reason: z.string().optional(),
  /** Files that the call affects. */
  locations: z.array(locationSchema).optional(),
  /** The proposed edit as a unified diff. */
  diff: z.string().optional(),
  /** The MCP server and its tool. Set when the tool belongs to an MCP server. */
  mcp: z.object({ server: z.string(), tool: z.string() }).optional(),
  /** The possible answers. */
  options: z.array(permissionOptionSchema),
  /** True when the answer may change the input. Missing: the agent's capability `changedInput` decides. */
  inputChangeable: z.boolean().optional(),
  /** When the request is denied if nobody answers, ISO 8601. Reins sets it unless a person is connected. */
  deadline: z.string().optional(),
  /** True when a person was connected: the request waits for an answer without a deadline. */
  waits: z.boolean().optional(),
  ...common,
});

/** A permission request was answered, denied by a deadline, or cancelled. */
export const permissionResolved = z.object({
  type: z.literal("permission.resolved"),
  requestId: z.string(),
  outcome: z.enum(["allowed", "denied", "cancelled"]),
  /** Id of the chosen option. */
  optionId: z.string().optional(),
  /** The input that the call ran with, when the answer changed it. */
  changedInput: z.unknown().optional(),
  /** True when the denial also ended the turn. */
  stop: z.boolean().optional(),
  /** The message to the agent, or the reason for the permission. */
  message: z.string().optional(),
  /** The source of the decision. */
  by: z.enum(["person", "policy", "deadline", "agent", "cancel", "recovery"]),
  /** The rule that decided or that the answer added. */
  rule: z.string().optional(),
  ...common,
});

/** A question to the user, with options to choose from. */
export const questionSchema = z.object({
  id: z.string(),
  text: z.string(),
  /** A label of one or two words. */
  header: z.string().optional(),
  options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
  /** True when several options may be chosen. */
  multiple: z.boolean(),
  /** True when the user may also type an answer. */
  free: z.boolean().optional(),
});

/** The agent asks the user one or more questions and waits. */
export const questionRequested = z.object({
  type: z.literal("question.requested"),
  /** Pass this id to `session.answer()`. */
  requestId: z.string(),
  /** The tool call that asks. */
  callId: z.string().optional(),
  questions: z.array(questionSchema),
  /** When the questions are skipped if nobody answers, ISO 8601. Reins sets it unless a person is connected. */
  deadline: z.string().optional(),
  /** True when a person was connected: the questions wait for an answer without a deadline. */
  waits: z.boolean().optional(),
  ...common,
});

/** The questions of a request were answered, skipped or cancelled. */
export const questionResolved = z.object({
  type: z.literal("question.resolved"),
  requestId: z.string(),
  outcome: z.enum(["answered", "skipped", "cancelled"]),
  /** Answers by question id: one text, or a list when several options were chosen. */
  answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  /** The source of the decision. */
  by: z.enum(["person", "policy", "deadline", "agent", "cancel", "recovery"]),
  ...common,
});
