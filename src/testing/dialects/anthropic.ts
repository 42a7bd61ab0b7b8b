/** Anthropic Messages: `POST /v1/messages`, streamed or whole. */
import { ReinsError } from "../../events/errors.ts";
import type { Item } from "../conversation.ts";
import type { Limit } from "../scenario.ts";
import { streamedAnswer } from "./anthropic-streamed.ts";
import { wholeAnswer } from "./anthropic-whole.ts";
import type { Dialect, ModelRequest, Route } from "./dialect.ts";

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

export const anthropic: Dialect = {
  route,
  read,
  answer: (response, request, settings) =>
    request.stream ? streamedAnswer(response, request, settings) : wholeAnswer(response, request, settings),
  errorBody: (status, message, type) => ({
    type: "error",
    error: { type: type ?? errorTypes[status] ?? "api_error", message },
  }),
  limitHeaders,
};

function route(method: string, path: string): Route | undefined {
  if (method === "POST" && path === "/v1/messages") return { kind: "answer" };
  if (method === "POST" && path === "/v1/messages/count_tokens")
    return { kind: "count", reply: (bytes) => ({ input_tokens: Math.ceil(bytes / 4) }) };
  if (method === "GET" && path === "/v1/models") return { kind: "models", reply: () => models };
  return undefined;
}

const models = {
  data: [{ type: "model", id: "scripted", display_name: "Scripted model", created_at: "2026-01-01T00:00:00Z" }],
  has_more: false,
  first_id: "scripted",
  last_id: "scripted",
};

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const fields = (value: unknown): Fields => (isFields(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function read(body: unknown): ModelRequest {
  if (!isFields(body) || !Array.isArray(body["messages"]))
    throw new ReinsError("invalid_input", "The request has no list of messages.");
  const format = fields(fields(body["output_config"])["format"]);
  const hasTools = list(body["tools"]).length > 0;
  return {
    model: asText(body["model"]) ?? "scripted",
    stream: body["stream"] === true,
    items: body["messages"].flatMap(itemsOf),
    conversation: asText(fields(body["metadata"])["user_id"]),
    sideSchema: hasTools ? undefined : format["schema"],
  };
}

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function itemsOf(message: unknown): Item[] {
  const { role, content } = fields(message);
  if (role === "assistant") return [{ from: "model" }];
  // Some agents put messages of role `system` between; they are not the user's words.
  if (role !== "user") return [];
  return blocksOf(content).flatMap(itemOf);
}

const blocksOf = (content: unknown): readonly unknown[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : list(content);

function itemOf(block: unknown): Item[] {
  const { type, text, content, is_error: failed } = fields(block);
  if (type === "text") return [{ from: "user", text: String(text) }];
  if (type === "image") return [{ from: "image" }];
  if (type !== "tool_result") return [];
  const inner = blocksOf(content).map(fields);
  const said = inner.filter((part) => part["type"] === "text").map((part) => String(part["text"]));
  const images = inner.filter((part) => part["type"] === "image").map((): Item => ({ from: "image" }));
  return [{ from: "tool", text: said.join("\n"), failed: failed === true }, ...images];
}

const limitStatus = { ok: "allowed", warning: "allowed_warning", reached: "rejected" } as const;
const limitWindow = { five_hour: "5h", seven_day: "7d" } as const;

function limitHeaders(limit: Limit, now: number): Record<string, string> {
  const prefix = "anthropic-ratelimit-unified";
  const status = limitStatus[limit.status];
  const reset = String(Math.floor(now / 1000) + limit.resetsInSeconds);
  const own = `${prefix}-${limitWindow[limit.window]}`;
  const other = `${prefix}-${limit.window === "five_hour" ? "7d" : "5h"}`;
  return {
    [`${prefix}-status`]: status,
    [`${prefix}-reset`]: reset,
    [`${prefix}-representative-claim`]: limit.window,
    [`${own}-status`]: status,
    [`${own}-reset`]: reset,
    [`${own}-utilization`]: String(limit.usedPercent / 100),
    [`${other}-status`]: "allowed",
    [`${other}-reset`]: String(Math.floor(now / 1000) + 86_400),
    [`${other}-utilization`]: "0.1",
    [`${prefix}-overage-status`]: "rejected",
    [`${prefix}-overage-disabled-reason`]: "org_level_disabled",
  };
}
