import { z } from "zod";
import { errorCodes } from "../errors.ts";
import { modes } from "../modes.ts";
import { kinds, tools } from "../tools.ts";

export const modeSchema = z.enum(modes);
export const toolSchema = z.enum(tools);
export const kindSchema = z.enum(kinds);

/** A failure in plain form. See `ErrorInfo`. */
export const errorInfoSchema = z.object({
  /** Stable code. Recognise an error by its code. */
  code: z.enum(errorCodes),
  /** A plain sentence that says what happened. */
  message: z.string(),
  /** True when the same request may succeed later. */
  retryable: z.boolean(),
  /** Id of the agent that failed. */
  agent: z.string().optional(),
  /** When the limit resets, ISO 8601. */
  resetsAt: z.string().optional(),
  /** Advice on what the user should do next. */
  help: z.string().optional(),
});

/** A position in a file. */
export const locationSchema = z.object({
  /** Relative to the workspace when the file is inside it, otherwise absolute. */
  path: z.string(),
  /** Line number, from 1. */
  line: z.number().int().optional(),
});

/** A block of a message or of a tool's output that is more than plain text. */
export const contentSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({
    type: z.literal("image"),
    mediaType: z.string(),
    data: z.string().optional(),
    bytes: z.number().optional(),
    /** Reference in the store when the image is too large for the event. Read it with `reins.sessions.content(ref)`. */
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

/** Metadata of an attachment, without its bytes. */
export const attachmentRefSchema = z.object({
  kind: z.enum(["image", "file"]),
  /** Name to show to people, such as the file name. */
  name: z.string(),
  mediaType: z.string().optional(),
  /** The file that the attachment was read from. */
  path: z.string().optional(),
  bytes: z.number().optional(),
});

/** Token counts. */
export const tokensSchema = z.object({
  /** Input tokens, without tokens read from or written to the cache. */
  input: z.number(),
  /** Output tokens, including thinking. */
  output: z.number(),
  cacheRead: z.number().optional(),
  cacheWrite: z.number().optional(),
  /** The part of `output` that was used for thinking. */
  thought: z.number().optional(),
});

/** Fields that every event may have. */
export const common = {
  /** The `callId` of the tool call that started the subagent. Set on events of a subagent. */
  parent: z.string().optional(),
  /** True when Reins made the event and the agent did not report it. */
  synthetic: z.boolean().optional(),
  /** The agent's native message, redacted. Set only when the session was opened with the option `raw`. */
  raw: z.unknown().optional(),
};
