/** Anthropic Messages: `POST /v1/messages`, streamed or whole. */
import type { Call, Dialect, Route } from "../dialect.ts";
import { error } from "./errors.ts";
import { limitHeaders } from "./limits.ts";
import { read } from "./read.ts";
import { streamedAnswer } from "./streamed.ts";
import { wholeAnswer } from "./whole.ts";

export const anthropic: Dialect = {
  route,
  answer: (response, request, settings) =>
    request.stream ? streamedAnswer(response, request, settings) : wholeAnswer(response, request, settings),
  error,
  limitHeaders,
};

function route({ method, path, headers }: Call): Route | undefined {
  if (method === "POST" && path === "/v1/messages") return { kind: "answer", read };
  if (method === "POST" && path === "/v1/messages/count_tokens")
    return { kind: "count", reply: (bytes) => ({ input_tokens: Math.ceil(bytes / 4) }) };
  // Another service lists its models at the same address.
  if (method === "GET" && path === "/v1/models" && "anthropic-version" in headers)
    return { kind: "models", reply: () => models };
  return undefined;
}

const models = {
  data: [{ type: "model", id: "scripted", display_name: "Scripted model", created_at: "2026-01-01T00:00:00Z" }],
  has_more: false,
  first_id: "scripted",
  last_id: "scripted",
};
