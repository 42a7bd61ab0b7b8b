import { z } from "zod";
import { common, errorInfoSchema, tokensSchema } from "./base.ts";

/** Tokens, cost or context use was reported. The figures are totals of `scope`, so they never decrease. */
export const usageUpdated = z.object({
  type: z.literal("usage.updated"),
  /** `turn`: totals of the current turn. `session`: totals since the session started. */
  scope: z.enum(["turn", "session"]),
  /** Missing when only the cost or the context use is known. */
  tokens: tokensSchema.optional(),
  /** The tokens of each model, by model name. Set when the agent reports them per model. */
  byModel: z.record(z.string(), tokensSchema).optional(),
  costUsd: z.number().optional(),
  /** `agent`: the agent reported the cost. `prices`: Reins calculated it from a price list. */
  costSource: z.enum(["agent", "prices"]).optional(),
  /** Tokens in the model's context (`used`) and its capacity (`size`). */
  context: z.object({ used: z.number(), size: z.number().optional() }).optional(),
  ...common,
});

/** Use of one rate-limit window of the subscription, such as the five-hour window. */
export const limitUpdated = z.object({
  type: z.literal("limit.updated"),
  /** The window's name, such as `five_hour`. */
  window: z.string(),
  usedPercent: z.number().optional(),
  /** When the window resets, ISO 8601. */
  resetsAt: z.string().optional(),
  status: z.enum(["ok", "warning", "reached"]),
  ...common,
});

/** The agent summarised the conversation to free context. */
export const contextCompacted = z.object({
  type: z.literal("context.compacted"),
  /** The reason, in the agent's words, such as `auto` or `manual`. */
  trigger: z.string(),
  /** Tokens in the context before and after. */
  before: z.number().optional(),
  after: z.number().optional(),
  ...common,
});

/** The agent's request to its model failed and the agent retries it. */
export const agentRetrying = z.object({
  type: z.literal("agent.retrying"),
  /** Number of the attempt, from 1. */
  attempt: z.number(),
  /** Maximum number of attempts. */
  ofMax: z.number().optional(),
  /** Milliseconds until the attempt. */
  delayMs: z.number().optional(),
  /** The failure that causes the retry. */
  error: errorInfoSchema,
  ...common,
});

/** Another agent took over the session: a fallback after a failure, or a handoff that was requested. */
export const agentSwitched = z.object({
  type: z.literal("agent.switched"),
  /** Id of the previous agent. */
  from: z.string(),
  /** Id of the new agent. */
  to: z.string(),
  /** An error code, `not_ready` or `requested`. */
  reason: z.string(),
  /** Reference of the briefing in the store. Read it with `reins.sessions.content(ref)`. */
  briefing: z.string().optional(),
  briefingChars: z.number().optional(),
  ...common,
});

/** Information that has no event type of its own, such as a divergence, cut output or a long silence. */
export const notice = z.object({
  type: z.literal("notice"),
  level: z.enum(["info", "warning", "error"]),
  /** Identifies the kind of notice: `unparsed`, `divergence`, `truncated`, `stderr`, `quiet`, `waiting` and others. */
  code: z.string(),
  /** A plain sentence for people. */
  message: z.string(),
  /** How many occurrences this notice stands for. */
  count: z.number().optional(),
  ...common,
});

/** The agent's process ended. */
export const processExited = z.object({
  type: z.literal("process.exited"),
  /** Exit code; null when a signal ended the process. */
  code: z.number().nullable(),
  signal: z.string().nullable(),
  /** The end of the process's stderr, redacted. */
  stderrTail: z.string(),
  ...common,
});
