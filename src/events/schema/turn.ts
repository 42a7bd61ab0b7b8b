import { z } from "zod";
import { attachmentRefSchema, common, errorInfoSchema, tokensSchema } from "./base.ts";

/** The prompt of a turn. */
export const inputSchema = z.object({
  /** Text of the prompt. */
  text: z.string(),
  attachments: z.array(attachmentRefSchema).optional(),
  /** Bytes of the whole text. Set only when the text was cut in this event; the agent received all of it. */
  bytes: z.number().optional(),
});

/** A turn started. */
export const turnStarted = z.object({
  type: z.literal("turn.started"),
  /** `agent`: the agent started the turn by itself, for example to report a finished background task. */
  origin: z.enum(["prompt", "agent"]),
  /** The `taskId` of the task that caused the turn. Set only for origin `agent`. */
  cause: z.string().optional(),
  /** The prompt. Set only for origin `prompt`. */
  input: inputSchema.optional(),
  /** Id of the turn that this one continues. Set when a `continue` rule sent the prompt, not a person. */
  continues: z.string().optional(),
  ...common,
});

/** The turn now waits for something else: the model, a tool, a person, a retry, a compaction or a background task. */
export const turnPhase = z.object({
  type: z.literal("turn.phase"),
  phase: z.enum(["model", "tool", "person", "retry", "compact", "background"]),
  ...common,
});

/** A person sent another prompt while a turn was running. */
export const inputAdded = z.object({
  type: z.literal("input.added"),
  text: z.string(),
  attachments: z.array(attachmentRefSchema).optional(),
  /** `steer`: into the running turn. `queue`: as the next turn. */
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

/** A turn ended. Every turn ends with exactly one of these, also when the agent crashed. */
export const turnCompleted = z.object({
  type: z.literal("turn.completed"),
  /** How the turn ended. Only `done` is a success. */
  outcome: z.enum(outcomes),
  /** Set exactly when the outcome is `failed`, `refused`, `budget` or `interrupted`. */
  error: errorInfoSchema.optional(),
  /** The last message of the agent; subagents' messages do not count. Empty when there was none. */
  text: z.string(),
  /** Tokens of this turn, when the agent reports them. */
  usage: tokensSchema.optional(),
  /** Cost of this turn in US dollars, when known. */
  costUsd: z.number().optional(),
  /** `agent`: the agent reported the cost. `prices`: Reins calculated it from a price list. */
  costSource: z.enum(["agent", "prices"]).optional(),
  /** Id of the turn that a `continue` rule starts after this one. */
  next: z.string().optional(),
  durationMs: z.number(),
  /** Number of tool calls that started, including those of subagents. */
  toolCalls: z.number(),
  /** Paths of all changed files, each once, as in `file.changed`. */
  filesChanged: z.array(z.string()),
  /** True when changes may be missing: the agent does not report all of them, and the folder is not a git repository. */
  filesChangedIncomplete: z.boolean().optional(),
  /** Ids of tasks that still run. */
  background: z.array(z.string()).optional(),
  /** Opaque state of the conversation. Pass it as `resume` to continue later. */
  state: z.string().optional(),
  ...common,
});

/** Internal, from an agent to the core: the turn is over. Readers never see it. */
export const turnEnded = z.object({
  type: z.literal("turn.ended"),
  /** Set on the end of a turn that the agent started itself, so that it does not end a prompted turn that started at the same moment. */
  origin: z.literal("agent").optional(),
  outcome: z.enum(outcomes),
  error: errorInfoSchema.optional(),
  /** Tokens of this turn. */
  usage: tokensSchema.optional(),
  costUsd: z.number().optional(),
  /** Exactly these tasks still run. Missing: all tasks whose end was not reported. */
  background: z.array(z.string()).optional(),
  ...common,
});
