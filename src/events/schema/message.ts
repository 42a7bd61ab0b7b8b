import { z } from "zod";
import { common, contentSchema } from "./base.ts";

/** A piece of text; the pieces of one messageId add up to its `message.completed`. */
export const messageDelta = z.object({
  type: z.literal("message.delta"),
  messageId: z.string(),
  text: z.string(),
  ...common,
});

export const messageCompleted = z.object({
  type: z.literal("message.completed"),
  messageId: z.string(),
  text: z.string(),
  /** Blocks that are not text. */
  content: z.array(contentSchema).optional(),
  /** How many bytes of text there were, where some were cut. */
  bytes: z.number().optional(),
  /** How many of them are here. */
  kept: z.number().optional(),
  ...common,
});

/** What streamed under this id does not count: readers remove it. */
export const messageDiscarded = z.object({
  type: z.literal("message.discarded"),
  messageId: z.string(),
  reason: z.enum(["retry", "steered"]),
  ...common,
});

export const thoughtDelta = z.object({
  type: z.literal("thought.delta"),
  messageId: z.string(),
  text: z.string(),
  ...common,
});

export const thoughtCompleted = z.object({
  type: z.literal("thought.completed"),
  messageId: z.string(),
  text: z.string(),
  bytes: z.number().optional(),
  kept: z.number().optional(),
  ...common,
});
