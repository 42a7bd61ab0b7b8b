import { z } from "zod";
import { common, errorInfoSchema, tokensSchema } from "./base.ts";

export const usageUpdated = z.object({
  type: z.literal("usage.updated"),
  /** Of this turn, or of the session so far. */
  scope: z.enum(["turn", "session"]),
  /** Left out where only the rest is known. */
  tokens: tokensSchema.optional(),
  /** The same for each model. */
  byModel: z.record(z.string(), tokensSchema).optional(),
  costUsd: z.number().optional(),
  /** Told by the agent, or worked out from a list of prices. */
  costSource: z.enum(["agent", "prices"]).optional(),
  /** How full the model's context is, in tokens. */
  context: z.object({ used: z.number(), size: z.number().optional() }).optional(),
  ...common,
});

/** One window of a plan's allowance. */
export const limitUpdated = z.object({
  type: z.literal("limit.updated"),
  /** Its name, such as `five_hour`. */
  window: z.string(),
  usedPercent: z.number().optional(),
  /** When it begins again, ISO 8601. */
  resetsAt: z.string().optional(),
  status: z.enum(["ok", "warning", "reached"]),
  ...common,
});

export const contextCompacted = z.object({
  type: z.literal("context.compacted"),
  /** What made it happen, such as `auto` or `manual`. */
  trigger: z.string(),
  /** Tokens. */
  before: z.number().optional(),
  after: z.number().optional(),
  ...common,
});

/** The agent itself tries again. */
export const agentRetrying = z.object({
  type: z.literal("agent.retrying"),
  /** From 1. */
  attempt: z.number(),
  /** How many there will be at most. */
  ofMax: z.number().optional(),
  /** How long it waits first. */
  delayMs: z.number().optional(),
  /** What went wrong. */
  error: errorInfoSchema,
  ...common,
});

export const agentSwitched = z.object({
  type: z.literal("agent.switched"),
  /** The id of the agent that had the session. */
  from: z.string(),
  /** The id of the agent that has it now. */
  to: z.string(),
  /** An error code, `not_ready` or `requested`. */
  reason: z.string(),
  /** Where the briefing is kept. */
  briefing: z.string().optional(),
  briefingChars: z.number().optional(),
  ...common,
});

export const notice = z.object({
  type: z.literal("notice"),
  level: z.enum(["info", "warning", "error"]),
  /** Such as unparsed, divergence, truncated, stderr, quiet, waiting. */
  code: z.string(),
  /** One plain sentence. */
  message: z.string(),
  /** How many times, where it stands for several. */
  count: z.number().optional(),
  ...common,
});

export const processExited = z.object({
  type: z.literal("process.exited"),
  /** Its exit code; null when a signal ended it. */
  code: z.number().nullable(),
  signal: z.string().nullable(),
  /** The last it wrote there, redacted. */
  stderrTail: z.string(),
  ...common,
});
