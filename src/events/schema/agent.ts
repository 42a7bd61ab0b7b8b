import { z } from "zod";
import { common, errorInfoSchema, tokensSchema } from "./base.ts";

export const usageUpdated = z.object({
  type: z.literal("usage.updated"),
  scope: z.enum(["turn", "session"]),
  tokens: tokensSchema,
  byModel: z.record(z.string(), tokensSchema).optional(),
  costUsd: z.number().optional(),
  costSource: z.enum(["agent", "prices"]).optional(),
  /** How full the model's context is, in tokens. */
  context: z.object({ used: z.number(), size: z.number().optional() }).optional(),
  ...common,
});

/** One window of a plan's allowance. */
export const limitUpdated = z.object({
  type: z.literal("limit.updated"),
  window: z.string(),
  usedPercent: z.number().optional(),
  resetsAt: z.string().optional(),
  status: z.enum(["ok", "warning", "reached"]),
  ...common,
});

export const contextCompacted = z.object({
  type: z.literal("context.compacted"),
  trigger: z.string(),
  /** Tokens. */
  before: z.number().optional(),
  after: z.number().optional(),
  ...common,
});

/** The agent itself tries again. */
export const agentRetrying = z.object({
  type: z.literal("agent.retrying"),
  attempt: z.number(),
  ofMax: z.number().optional(),
  delayMs: z.number().optional(),
  error: errorInfoSchema,
  ...common,
});

export const agentSwitched = z.object({
  type: z.literal("agent.switched"),
  from: z.string(),
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
  message: z.string(),
  /** How many times, where it stands for several. */
  count: z.number().optional(),
  ...common,
});

export const processExited = z.object({
  type: z.literal("process.exited"),
  code: z.number().nullable(),
  signal: z.string().nullable(),
  stderrTail: z.string(),
  ...common,
});
