/** Comparisons: the same prompt on several agents, each in its own git worktree. */
import { z } from "@hono/zod-openapi";
import { errorCodes } from "../../events/errors.ts";
import { outcomes } from "../../events/schema/turn.ts";
import { folder, mode, number, prompt, word, type Output } from "./common.ts";

export const mostEntries = 8;

export const comparisonBody = z
  .strictObject({
    cwd: folder.describe("An absolute path of a folder in a git repository that has a commit"),
    prompt,
    entries: z
      .array(z.strictObject({ agent: word.describe("An agent's id"), model: word.optional() }))
      .min(1)
      .max(mostEntries)
      .describe("The agents to compare; the same agent may occur twice with different models"),
    mode: mode.optional().describe("`edits` and `full`: approve"),
  })
  .openapi("NewComparison");

const entryStates = ["running", "waiting", ...outcomes, "gone"] as const;

const keptSchema = z.object({
  how: z.enum(["branch", "apply"]),
  branch: z.string().optional(),
  commit: z.string().optional(),
  at: z.string(),
});

const entrySchema = z.object({
  number: z.number().int().describe("From 1"),
  agent: z.string(),
  model: z.string().optional(),
  session: z.string().optional().describe("The id of its session; undefined if it could not start"),
  state: z
    .enum(entryStates)
    .describe("`waiting`: a person has to answer. `gone`: its session does not exist or never started"),
  error: z.object({ code: z.enum(errorCodes), message: z.string(), help: z.string().optional() }).optional(),
  branch: z.string(),
  folder: z.string().describe("The worktree"),
  kept: keptSchema.optional(),
});

export const comparisonSchema = z
  .object({
    id: z.string(),
    cwd: z.string(),
    prompt: z.string(),
    mode: mode.optional(),
    createdAt: z.string(),
    base: z.string().describe("The commit that all agents started from"),
    uncommitted: z.number().int().describe("Uncommitted changes in the folder, which the agents do not see"),
    entries: z.array(entrySchema),
  })
  .openapi("Comparison");

const fileSchema = z.object({
  path: z.string(),
  change: z.enum(["added", "modified", "deleted"]),
  added: z.number().int().optional().describe("Number of lines; undefined for a binary file"),
  removed: z.number().int().optional(),
});

const changesSchema = z.object({
  files: z.array(fileSchema),
  patch: z.string().describe("All differences from `base`, as a unified diff"),
  cut: z.boolean().describe("The patch was truncated"),
  trouble: z.string().optional().describe("Why its changes could not be read"),
});

export const comparisonDetails = comparisonSchema
  .extend({ entries: z.array(entrySchema.extend(changesSchema.shape)) })
  .openapi("ComparisonDetails");

export const comparisonList = z.object({ comparisons: z.array(comparisonSchema) });
export const comparisonId = z.object({ id: word.describe("A comparison's id") });
export const entryParams = comparisonId.extend({ entry: number(1, mostEntries).describe("An entry's number") });
export const keepBody = z.strictObject({
  how: z.enum(["branch", "apply"]).describe("Commit on the branch, or apply to the folder, which must be clean"),
});
export const keepAnswer = keptSchema.extend({ files: z.array(fileSchema) });
export const removedAnswer = z.object({
  branches: z.array(z.string()).describe("Branches that stay, because they were kept or are checked out"),
});

export type EntryState = (typeof entryStates)[number];

export type Comparison = Output<typeof comparisonSchema>;
export type ComparisonEntry = Output<typeof entrySchema>;
export type ComparisonDetails = Output<typeof comparisonDetails>;
export type ComparisonList = Output<typeof comparisonList>;
export type EntryChanges = Output<typeof changesSchema>;

export type KeepAnswer = Output<typeof keepAnswer>;
export type RemovedComparison = Output<typeof removedAnswer>;
