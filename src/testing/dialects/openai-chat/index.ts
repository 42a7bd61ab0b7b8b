/** OpenAI Chat Completions: `POST /v1/chat/completions`, streamed or whole. Many other services speak it too. */
import type { Limit } from "../../scenario.ts";
import type { Call, Dialect, Route } from "../dialect.ts";
import { error } from "../openai/errors.ts";
import { modelsRoute } from "../openai/models.ts";
import { read } from "./read.ts";
import { streamedAnswer } from "./streamed.ts";
import { wholeAnswer } from "./whole.ts";

export const openaiChat: Dialect = {
  route,
  answer: (response, request, settings) =>
    request.stream ? streamedAnswer(response, request, settings) : wholeAnswer(response, request, settings),
  error,
  limitHeaders,
};

function route(call: Call): Route | undefined {
  if (call.method === "POST" && call.path === "/v1/chat/completions")
    return { kind: "answer", read: (body) => read(body, call.headers) };
  return modelsRoute(call);
}

function limitHeaders({ usedPercent, resetsInSeconds }: Limit): Record<string, string> {
  return {
    "x-ratelimit-limit-requests": "1000",
    "x-ratelimit-remaining-requests": String(Math.max(0, 1000 - usedPercent * 10)),
    "x-ratelimit-reset-requests": `${resetsInSeconds}s`,
  };
}
