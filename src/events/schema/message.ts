import { z } from "zod";
import { common, contentSchema } from "./base.ts";

const delta = {
  /** One for each run of text or of thinking by one author. */
  messageId: z.string(),
  /** Only the new piece. */
  text: z.string(),
  ...common,
};

const whole = {
  /** The same as in its deltas. */
  messageId: z.string(),
  /** The whole text, or its beginning where it was cut. */
  text: z.string(),
};

const cut = {
  /** Size of the whole text, where some was cut. */
  bytes: z.number().optional(),
  /** Size of `text`, where some was cut. */
  kept: z.number().optional(),
};

/** A piece of text; the pieces of one messageId add up to its `message.completed`. */
export const messageDelta = z.object({ type: z.literal("message.delta"), ...delta });

export const messageCompleted = z.object({
  type: z.literal("message.completed"),
  ...whole,
  /** Blocks that are not text. */
  content: z.array(contentSchema).optional(),
  ...cut,
  /** Where the whole text is kept, when there is a store and some was cut. */
  ref: z.string().optional(),
  ...common,
});

/** The text that streamed under this id does not count: readers remove it. */
export const messageDiscarded = z.object({
  type: z.literal("message.discarded"),
  messageId: z.string(),
  /** The agent tried again, or was steered. */
  reason: z.enum(["retry", "steered"]),
  ...common,
});

export const thoughtDelta = z.object({ type: z.literal("thought.delta"), ...delta });

export const thoughtCompleted = z.object({ type: z.literal("thought.completed"), ...whole, ...cut, ...common });
