import { z } from "@hono/zod-openapi";
import type { PermissionReply, QuestionReply } from "../../core/api.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { number, open, prompt, sessionId, word, type Field, type Output } from "./common.ts";

export const turnBody = z.strictObject({
  prompt,
  whenBusy: z.enum(["reject", "queue", "steer"]).optional(),
  id: z
    .string()
    .regex(/^turn_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, "must be `turn_` and a UUID")
    .optional()
    .describe("The id of the turn, if the client chooses it"),
});
export const steerBody = z.strictObject({ prompt });
export const turnAnswer = z.object({
  session: z.string(),
  turn: z.string().describe("The id of the turn"),
  after: z
    .number()
    .int()
    .optional()
    .describe("The seq of the last event before the turn; undefined while the prompt is queued"),
});
export const cancelAnswer = z.object({
  lastSeq: z.number().int().describe("The seq of the last event when the turn had ended"),
});
export const cancelBody = z.strictObject({
  turn: word.optional().describe("Cancel only this turn, even if it is queued"),
});
export const idempotency = z.object({
  "idempotency-key": word.max(200).optional().describe("A repeated request with the same key gets the same answer"),
});

const answerText = z.union([z.string(), z.array(z.string())]);
export const replyBody = z
  .strictObject({
    reply: z.union([
      z.enum(["allow", "always", "deny", "stop", "skip"]),
      z.strictObject({
        decision: z.enum(["allow", "deny"]),
        always: z.boolean().optional(),
        optionId: word.optional(),
        changedInput: z.unknown().optional(),
        message: z.string().max(100_000).optional(),
        stop: z.boolean().optional(),
      }),
      z.strictObject({
        decision: z.enum(["answer", "skip"]),
        answers: z.record(z.string(), answerText).optional(),
        message: z.string().max(100_000).optional(),
      }),
    ]),
  })
  .openapi("Reply");
export const requestParams = sessionId.extend({ requestId: word });

export const eventsQuery = z.object({
  after: number(0, Number.MAX_SAFE_INTEGER).optional().describe("A seq; default 0: from the beginning"),
  limit: number(1, 5_000).optional(),
});
export const eventsHeaders = z.object({
  "last-event-id": z.string().optional().describe("A seq, as a reader of server-sent events sends it back"),
});
export const eventsAnswer = z.object({
  events: z.array(open).describe("See docs/events.md"),
  lastSeq: z.number().int().describe("The seq of the last event so far"),
});

export type TurnAnswer = Output<typeof turnAnswer>;
export type CancelAnswer = z.output<typeof cancelAnswer>;
export type EventsAnswer = Field<"events", readonly ReinsEvent[]> & Field<"lastSeq", number>;
export type TurnBody = z.output<typeof turnBody>;
export type ReplyBody = Field<"reply", PermissionReply | QuestionReply>;
