import { z } from "zod";
import { common, locationSchema, toolSchema } from "./base.ts";

export const optionKinds = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;

export const permissionOptionSchema = z.object({
  /** To be named in the answer. */
  id: z.string(),
  kind: z.enum(optionKinds),
  /** For people. */
  label: z.string(),
  /** How far an `always` reaches. */
  scope: z.enum(["once", "session", "project", "user"]).optional(),
  /** The rule it would add, for people. */
  rule: z.string().optional(),
});

/** A tool waits for somebody's word. Plan approval is one of these, with tool `plan` and the Markdown in `input.plan`. */
export const permissionRequested = z.object({
  type: z.literal("permission.requested"),
  /** To be named in the answer. */
  requestId: z.string(),
  /** The call that waits. */
  callId: z.string(),
  /** The canonical tool. */
  tool: toolSchema,
  /** One line a person reads. */
  title: z.string(),
  /** As the agent gave it. */
  input: z.unknown(),
  /** Why the agent asks. */
  reason: z.string().optional(),
  /** The files it is about. */
  locations: z.array(locationSchema).optional(),
  /** What an edit would do, unified. */
  diff: z.string().optional(),
  /** Whose tool it is, for tools of MCP servers. */
  mcp: z.object({ server: z.string(), tool: z.string() }).optional(),
  /** What may be answered. */
  options: z.array(permissionOptionSchema),
  /** Whether the answer may change the input. Absent: as the agent's capability `changedInput` says. */
  inputChangeable: z.boolean().optional(),
  /** When it is denied if nobody answers, ISO 8601. The core sets it, unless a person was connected. */
  deadline: z.string().optional(),
  /** A person was connected: it waits for an answer, however long that takes. */
  waits: z.boolean().optional(),
  ...common,
});

export const permissionResolved = z.object({
  type: z.literal("permission.resolved"),
  requestId: z.string(),
  outcome: z.enum(["allowed", "denied", "cancelled"]),
  /** The option that was chosen. */
  optionId: z.string().optional(),
  /** What it ran with instead. */
  changedInput: z.unknown().optional(),
  /** The denial ended the turn. */
  stop: z.boolean().optional(),
  /** What the agent was told, or why it was allowed. */
  message: z.string().optional(),
  /** Who decided. */
  by: z.enum(["person", "policy", "deadline", "agent", "cancel", "recovery"]),
  /** The rule that decided, or that was added, for people. */
  rule: z.string().optional(),
  ...common,
});

export const questionSchema = z.object({
  id: z.string(),
  text: z.string(),
  /** A word or two about it. */
  header: z.string().optional(),
  options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
  /** Several options may be chosen. */
  multiple: z.boolean(),
  /** Words of one's own are welcome. */
  free: z.boolean().optional(),
});

export const questionRequested = z.object({
  type: z.literal("question.requested"),
  /** To be named in the answer. */
  requestId: z.string(),
  /** The call that waits. */
  callId: z.string().optional(),
  questions: z.array(questionSchema),
  /** When it is skipped if nobody answers, ISO 8601. The core sets it, unless a person was connected. */
  deadline: z.string().optional(),
  /** A person was connected: it waits for an answer, however long that takes. */
  waits: z.boolean().optional(),
  ...common,
});

export const questionResolved = z.object({
  type: z.literal("question.resolved"),
  requestId: z.string(),
  outcome: z.enum(["answered", "skipped", "cancelled"]),
  /** By question id. */
  answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  /** Who decided. */
  by: z.enum(["person", "policy", "deadline", "agent", "cancel", "recovery"]),
  ...common,
});
