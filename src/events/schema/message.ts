import { z } from "zod";
import { common, contentSchema } from "./base.ts";

/** A piece of text; the pieces of one messageId add up to its `message.completed`. */
export const messageDelta = z.object({
  type: z.literal("message.delta"),
  /** One for each run of text by one author. */
  messageId: z.string(),
  /** Only the new piece. */
  text: z.string(),
  ...common,
});

export const messageCompleted = z.object({
  type: z.literal("message.completed"),
  /** That of its pieces. */
  messageId: z.string(),
  /** The whole of it. */
  text: z.string(),
  /** Blocks that are not text. */
  content: z.array(contentSchema).optional(),
  /** How many bytes of text there were, where some were cut. */
  bytes: z.number().optional(),
  /** How many of them are here. */
  kept: z.number().optional(),
  /** Where the whole is, when there is a store and some was cut. */
  ref: z.string().optional(),
  ...common,
});

/** What streamed under this id does not count: readers remove it. */
export const messageDiscarded = z.object({
  type: z.literal("message.discarded"),
  messageId: z.string(),
  /** The agent tried again, or was steered. */
  reason: z.enum(["retry", "steered"]),
  ...common,
});

export const thoughtDelta = z.object({
  type: z.literal("thought.delta"),
  /** One for each run of thinking by one author. */
  messageId: z.string(),
  /** Only the new piece. */
  text: z.string(),
  ...common,
});

export const thoughtCompleted = z.object({
  type: z.literal("thought.completed"),
  /** That of its pieces. */
  messageId: z.string(),
  /** The whole of it. */
  text: z.string(),
  /** How many bytes of text there were, where some were cut. */
  bytes: z.number().optional(),
  /** How many of them are here. */
  kept: z.number().optional(),
  ...common,
});
