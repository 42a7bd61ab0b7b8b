import { z } from "@hono/zod-openapi";
import type { SessionDetails } from "../../core/api.ts";
import type { SearchHit, StoredSession } from "../../core/log/types.ts";
import { exportFormats } from "../../view/export-formats.ts";
import { flag, folder, mode, number, open, prompt, word, type Field } from "./common.ts";
import { optionShape } from "./session-options.ts";

export const summarySchema = z
  .looseObject({
    id: z.string(),
    cwd: z.string(),
    title: z.string().optional(),
    agent: z.string().optional(),
    createdAt: z.string(),
    updatedAt: z.string(),
    lastSeq: z.number().int(),
    turns: z.number().int(),
    open: z.boolean().describe("This server holds the session; its agent is warm or asleep"),
    running: z.boolean().describe("A turn runs"),
    waiting: z.array(z.string()).describe("Ids of the requests that wait for an answer"),
  })
  .openapi("Session");

export const createBody = z
  .strictObject({ ...optionShape, prompt: prompt.optional().describe("The first prompt") })
  .openapi("NewSession");
export const createdSchema = summarySchema.extend({
  turn: z.string().optional(),
  resumedAt: z.number().int().describe("The seq of the last event before this client opened the session"),
  joined: z.boolean().describe("The session was already open on this server"),
});
export const closeBody = z.strictObject({
  again: z.boolean().optional().describe("Start an agent for the next session with the same options"),
  wait: z.boolean().optional().describe("False: answer before the agent has ended"),
});
export const closeAnswer = z.object({ lastSeq: z.number().int() });

export const listQuery = z.object({
  cwd: folder.optional(),
  agent: word.optional(),
  q: word.optional().describe("Words that occur in the session"),
  limit: number(1, 500).optional(),
  cursor: word.optional().describe("The cursor of the previous page"),
});
export const listAnswer = z.object({ sessions: z.array(summarySchema), cursor: z.string().optional() });

export const detailsSchema = summarySchema.extend({ legs: z.array(open), allTurns: z.array(open) });
export const patchBody = z
  .strictObject({ title: z.string().min(1).max(1_000).optional(), model: word.optional(), mode: mode.optional() })
  .refine((body) => Object.values(body).some((value) => value !== undefined), "name a title, a model or a mode");
export const handoffBody = z.strictObject({ to: word.describe("An agent's id") });
export const exportQuery = z.object({ format: z.enum(exportFormats).optional(), thoughts: flag.optional() });

export const searchQuery = z.object({
  q: z.string().max(10_000),
  cwd: folder.optional(),
  agent: word.optional(),
  limit: number(1, 100_000).optional(),
});
export const oneQuery = z.object({ cwd: folder.optional().describe("The folder that the id `last` refers to") });
export const searchAnswer = z.object({
  hits: z.array(
    z.looseObject({ session: open, seq: z.number(), type: z.string(), time: z.string(), excerpt: z.string() }),
  ),
});

export interface SessionSummary extends StoredSession {
  readonly open: boolean;
  readonly running: boolean;
  readonly waiting: readonly string[];
}
export interface CreatedSession extends SessionSummary {
  readonly turn?: string | undefined;
  readonly resumedAt: number;
  readonly joined: boolean;
}
export type CloseAnswer = z.output<typeof closeAnswer>;
export interface SessionList {
  readonly sessions: readonly SessionSummary[];
  readonly cursor?: string | undefined;
}
export type SessionAnswer = SessionDetails & SessionSummary;
export type SearchAnswer = Field<"hits", readonly SearchHit[]>;
export type CreateBody = z.output<typeof createBody>;
export type PatchBody = z.output<typeof patchBody>;
