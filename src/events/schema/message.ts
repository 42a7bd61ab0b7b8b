import { z } from "zod";
import { common, contentSchema } from "./base.ts";

const delta = {
  /** Identifies one continuous run of text or of thinking by one author. */
  messageId: z.string(),
  /** Only the new text. */
  text: z.string(),
  ...common,
};

const whole = {
  /** The same id as in the deltas. */
  messageId: z.string(),
  /** The whole text, or its beginning when it was cut. */
  text: z.string(),
};

const cut = {
  /** Bytes of the whole text. Set only when the text was cut. */
  bytes: z.number().optional(),
  /** Bytes of `text`. Set only when the text was cut. */
  kept: z.number().optional(),
};

/** New text of a message. The deltas of one `messageId` add up to the text of its `message.completed`. */
export const messageDelta = z.object({ type: z.literal("message.delta"), ...delta });

/** A whole message of the agent. Sent once per `messageId`, also when no deltas came before. */
export const messageCompleted = z.object({
  type: z.literal("message.completed"),
  ...whole,
  /** Blocks that are not plain text, such as images. */
  content: z.array(contentSchema).optional(),
  ...cut,
  /** Reference of the whole text in the store. Set when the text was cut and there is a store. */
  ref: z.string().optional(),
  ...common,
});

/** Withdraws the text that was streamed under this id. Readers remove it. */
export const messageDiscarded = z.object({
  type: z.literal("message.discarded"),
  messageId: z.string(),
  /** The agent retried its request, or a prompt was added to the running turn. */
  reason: z.enum(["retry", "steered"]),
  ...common,
});

/** New text of the agent's thinking. */
export const thoughtDelta = z.object({ type: z.literal("thought.delta"), ...delta });

/** A whole run of thinking. */
export const thoughtCompleted = z.object({ type: z.literal("thought.completed"), ...whole, ...cut, ...common });
