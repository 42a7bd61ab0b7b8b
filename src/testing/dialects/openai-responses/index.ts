/** OpenAI Responses: `POST /v1/responses`, streamed or whole. */
import type { Call, Dialect, Failure, Route, ServiceError } from "../dialect.ts";
import { error } from "../openai/errors.ts";
import { modelsRoute } from "../openai/models.ts";
import { read } from "./read.ts";
import { streamedAnswer } from "./streamed.ts";
import { wholeAnswer } from "./whole.ts";

export const openaiResponses: Dialect = {
  route,
  answer: (response, request, settings) =>
    request.stream ? streamedAnswer(response, request, settings) : wholeAnswer(response, request, settings),
  error: (failure) =>
    failure.status === 429 && failure.limit ? usageLimitReached(failure, failure.limit) : error(failure),
};

function route(call: Call): Route | undefined {
  if (call.path === "/v1/responses" && call.method === "POST") return { kind: "answer", read };
  // A WebSocket is tried first; told to go away, the agent posts.
  if (call.path === "/v1/responses" && call.headers.upgrade !== undefined)
    return { kind: "hello", status: 426, reply: () => ({}) };
  return modelsRoute(call);
}

/** A plan that is used up says when it is renewed. */
function usageLimitReached(failure: Failure, limit: NonNullable<Failure["limit"]>): ServiceError {
  const seconds = limit.resetsInSeconds;
  return {
    status: 429,
    body: {
      error: {
        type: failure.type ?? "usage_limit_reached",
        message: failure.message ?? "The usage limit has been reached",
        plan_type: "plus",
        resets_at: Math.floor(Date.now() / 1000) + seconds,
        resets_in_seconds: seconds,
      },
    },
  };
}
