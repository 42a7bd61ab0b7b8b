import { z } from "zod";
import { common, locationSchema, toolSchema } from "./base.ts";

export const optionKinds = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;

export const permissionOptionSchema = z.object({
  id: z.string(),
  kind: z.enum(optionKinds),
  label: z.string(),
  /** How far an `always` reaches. */
  scope: z.enum(["once", "session", "project", "user"]).optional(),
  /** The rule it would add, for people. */
  rule: z.string().optional(),
});

/** A tool waits for somebody's word. Plan approval is one of these, with tool `plan` and the Markdown in `input.plan`. */
export const permissionRequested = z.object({
  type: z.literal("permission.requested"),
  requestId: z.string(),
  callId: z.string(),
  tool: toolSchema,
  title: z.string(),
  input: z.unknown(),
  /** Why the agent asks. */
  reason: z.string().optional(),
  locations: z.array(locationSchema).optional(),
  /** What an edit would do, unified. */
  diff: z.string().optional(),
  mcp: z.object({ server: z.string(), tool: z.string() }).optional(),
  options: z.array(permissionOptionSchema),
  /** When it is denied if nobody answers, ISO 8601. The core sets it. */
  deadline: z.string().optional(),
  ...common,
});

export const permissionResolved = z.object({
  type: z.literal("permission.resolved"),
  requestId: z.string(),
  outcome: z.enum(["allowed", "denied", "cancelled"]),
  optionId: z.string().optional(),
  changedInput: z.unknown().optional(),
  /** The denial ended the turn. */
  stop: z.boolean().optional(),
  message: z.string().optional(),
  by: z.enum(["person", "policy", "deadline", "agent", "cancel", "recovery"]),
  rule: z.string().optional(),
  ...common,
});

export const questionSchema = z.object({
  id: z.string(),
  text: z.string(),
  header: z.string().optional(),
  options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
  multiple: z.boolean(),
  /** Words of one's own are welcome. */
  free: z.boolean().optional(),
});

export const questionRequested = z.object({
  type: z.literal("question.requested"),
  requestId: z.string(),
  callId: z.string().optional(),
  questions: z.array(questionSchema),
  deadline: z.string().optional(),
  ...common,
});

export const questionResolved = z.object({
  type: z.literal("question.resolved"),
  requestId: z.string(),
  outcome: z.enum(["answered", "skipped", "cancelled"]),
  /** By question id. */
  answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  by: z.enum(["person", "policy", "deadline", "agent", "cancel", "recovery"]),
  ...common,
});
