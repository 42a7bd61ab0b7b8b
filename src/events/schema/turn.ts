import { z } from "zod";
import { attachmentRefSchema, common, errorInfoSchema, tokensSchema } from "./base.ts";

export const inputSchema = z.object({
  /** The prompt. */
  text: z.string(),
  attachments: z.array(attachmentRefSchema).optional(),
  /** How many bytes of text there were, where some were cut here. The agent got them all. */
  bytes: z.number().optional(),
});

export const turnStarted = z.object({
  type: z.literal("turn.started"),
  /** `agent`: work it began by itself, such as the report of a background task. */
  origin: z.enum(["prompt", "agent"]),
  /** For `agent`: the taskId that made it speak. */
  cause: z.string().optional(),
  /** For `prompt`: what was asked. */
  input: inputSchema.optional(),
  /** The turn that it goes on from by itself: nobody said this, a rule did. */
  continues: z.string().optional(),
  ...common,
});

/** What the turn is waiting for. */
export const turnPhase = z.object({
  type: z.literal("turn.phase"),
  phase: z.enum(["model", "tool", "person", "retry", "compact", "background"]),
  ...common,
});

/** More from the person while a turn was running. */
export const inputAdded = z.object({
  type: z.literal("input.added"),
  text: z.string(),
  attachments: z.array(attachmentRefSchema).optional(),
  /** Into the running turn, or as a turn after it. */
  how: z.enum(["steer", "queue"]),
  ...common,
});

export const outcomes = [
  "done",
  "cancelled",
  "refused",
  "max_tokens",
  "max_turns",
  "budget",
  "interrupted",
  "failed",
] as const;

export const turnCompleted = z.object({
  type: z.literal("turn.completed"),
  /** How it ended. */
  outcome: z.enum(outcomes),
  /** Exactly for failed, refused, budget and interrupted. */
  error: errorInfoSchema.optional(),
  /** The last message without a parent. */
  text: z.string(),
  /** What the turn used, where the agent tells it. */
  usage: tokensSchema.optional(),
  /** What the turn cost, where it is known. */
  costUsd: z.number().optional(),
  /** `prices`: the agent did not tell the cost; it is worked out from a list of prices. */
  costSource: z.enum(["agent", "prices"]).optional(),
  /** The turn that goes on from it by itself. */
  next: z.string().optional(),
  durationMs: z.number(),
  /** How many calls were started. */
  toolCalls: z.number(),
  /** Each path once, as in `file.changed`. */
  filesChanged: z.array(z.string()),
  /** The agent does not report every change and the folder is no repository to look it up in. */
  filesChangedIncomplete: z.boolean().optional(),
  /** Tasks that still run: their taskIds. */
  background: z.array(z.string()).optional(),
  /** Opaque; hand it back to resume. */
  state: z.string().optional(),
  ...common,
});

/** Internal, from an agent to the core: the turn is over. Never shown. */
export const turnEnded = z.object({
  type: z.literal("turn.ended"),
  /** Of a turn the agent began by itself: it does not end one that was prompted in the same moment. */
  origin: z.literal("agent").optional(),
  outcome: z.enum(outcomes),
  error: errorInfoSchema.optional(),
  /** Amounts of this turn. */
  usage: tokensSchema.optional(),
  costUsd: z.number().optional(),
  /** Exactly these tasks still run; without it, those of which no end was told. */
  background: z.array(z.string()).optional(),
  ...common,
});
