import { z } from "zod";
import { errorCodes } from "../errors.ts";
import { modes } from "../modes.ts";
import { kinds, tools } from "../tools.ts";

export const modeSchema = z.enum(modes);
export const toolSchema = z.enum(tools);
export const kindSchema = z.enum(kinds);

export const errorInfoSchema = z.object({
  /** Recognise an error by this. */
  code: z.enum(errorCodes),
  /** One plain sentence: what happened, to what. */
  message: z.string(),
  /** Trying the same again can help. */
  retryable: z.boolean(),
  /** Whose error it is. */
  agent: z.string().optional(),
  /** When a limit is over, ISO 8601. */
  resetsAt: z.string().optional(),
  /** What the person should do next. */
  help: z.string().optional(),
});

/** A place in a file. */
export const locationSchema = z.object({
  /** Relative to the workspace where it is inside. */
  path: z.string(),
  /** From 1. */
  line: z.number().int().optional(),
});

/** A block of content that is not plain text. */
export const contentSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({
    type: z.literal("image"),
    mediaType: z.string(),
    data: z.string().optional(),
    bytes: z.number().optional(),
    /** Where it is, when there is a store and it was too long to stand here. */
    ref: z.string().optional(),
  }),
  z.object({
    type: z.literal("resource"),
    uri: z.string(),
    mediaType: z.string().optional(),
    text: z.string().optional(),
  }),
  z.object({ type: z.literal("diff"), path: z.string(), diff: z.string() }),
]);

/** An attachment by reference: never its bytes. */
export const attachmentRefSchema = z.object({
  kind: z.enum(["image", "file"]),
  /** For people. */
  name: z.string(),
  mediaType: z.string().optional(),
  /** Where it was read from. */
  path: z.string().optional(),
  bytes: z.number().optional(),
});

export const tokensSchema = z.object({
  /** Without what was read from or written to the cache. */
  input: z.number(),
  /** With what was spent on thinking. */
  output: z.number(),
  cacheRead: z.number().optional(),
  cacheWrite: z.number().optional(),
  /** The part of `output` that was spent on thinking. */
  thought: z.number().optional(),
});

/** What any event, stamped or not, may carry. */
export const common = {
  /** The tool call a subagent's event belongs to. */
  parent: z.string().optional(),
  /** The core made it; the agent did not say it. */
  synthetic: z.boolean().optional(),
  /** The native message, only when the caller asked for it; redacted. */
  raw: z.unknown().optional(),
};
