/** Anthropic Messages: `POST /v1/messages`, streamed or not. */
import { list, record } from "../../protocols/json.ts";
import type { Item } from "../conversation.ts";
import {
  asText,
  conversationIn,
  newId,
  partsOf,
  textOf,
  write,
  type Dialect,
  type Failure,
  type ModelRequest,
  type ServiceError,
} from "./dialect.ts";
import type { Limit, Meaning, Stop, Usage } from "../scenario.ts";

const route: Dialect["route"] = ({ method, path, headers }) => {
  if (method === "POST" && path === "/v1/messages") return { kind: "answer", read };
  if (method === "POST" && path === "/v1/messages/count_tokens")
    return { kind: "count", reply: (bytes) => ({ input_tokens: Math.ceil(bytes / 4) }) };
  // OpenAI lists its models at the same path.
  if (method === "GET" && path === "/v1/models" && "anthropic-version" in headers)
    return { kind: "models", reply: () => models };
  return undefined;
};

const models = {
  data: [{ type: "model", id: "scripted", display_name: "Scripted model", created_at: "2026-01-01T00:00:00Z" }],
  has_more: false,
  first_id: "scripted",
  last_id: "scripted",
};

function read(body: unknown): ModelRequest {
  const messages = conversationIn(body, "messages");
  const { model, stream, system, tools, output_config: output, metadata } = record(body);
  const { schema } = record(record(output)["format"]);
  const isSide = schema !== undefined && list(tools).length === 0;
  return {
    model: asText(model) ?? "scripted",
    stream: stream === true,
    instructions: partsOf(system).flatMap(textOf).join("\n"),
    items: messages.flatMap(itemsOf),
    conversation: asText(record(metadata)["user_id"]),
    side: isSide ? { schema } : undefined,
  };
}

function itemsOf(message: unknown): Item[] {
  const { role, content } = record(message);
  if (role === "assistant") return [{ from: "model" }];
  // Some agents insert messages of role `system`; they are not text of the user.
  if (role !== "user") return [];
  return partsOf(content).flatMap(itemOf);
}

function itemOf(block: unknown): Item[] {
  const { type, text, content, is_error: failed } = record(block);
  if (type === "text") return [{ from: "user", text: String(text) }];
  if (type === "image") return [{ from: "image" }];
  if (type !== "tool_result") return [];
  const inner = partsOf(content);
  const images = inner.flatMap(itemOf).filter((item) => item.from === "image");
  return [{ from: "tool", text: inner.flatMap(textOf).join("\n"), failed: failed === true }, ...images];
}

const stopReasons: Readonly<Record<Stop, string>> = {
  end: "end_turn",
  call: "tool_use",
  max_tokens: "max_tokens",
  refusal: "refusal",
  stop_sequence: "stop_sequence",
  context: "model_context_window_exceeded",
};

/** Thinking must have a signature; the agent returns it unread. */
const signature = Buffer.from("scripted").toString("base64");

function usageOf(usage: Required<Usage>, output: number): Record<string, unknown> {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: output,
  };
}

const stream: Dialect["stream"] = (response, request, settings) => {
  let open: "text" | "thinking" | undefined;
  let index = 0;

  const send = (type: string, data: object): Promise<void> =>
    write(response, `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const delta = (fields: object) => send("content_block_delta", { index, delta: fields });

  // A block stays open until the next one begins, so that a cut or an error hits it in the middle.
  async function closeBlock(): Promise<void> {
    if (open === undefined) return;
    if (open === "thinking") await delta({ type: "signature_delta", signature });
    await send("content_block_stop", { index });
    index++;
    open = undefined;
  }

  async function openBlock(kind: "text" | "thinking"): Promise<void> {
    if (open === kind) return;
    await closeBlock();
    open = kind;
    const block = kind === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "", signature: "" };
    await send("content_block_start", { index, content_block: block });
  }

  return {
    async begin() {
      const usage = { ...usageOf(settings.usage, 1), service_tier: "standard" };
      const empty = { content: [], stop_reason: null, stop_sequence: null, usage };
      const message = { id: newId("msg_"), type: "message", role: "assistant", model: request.model, ...empty };
      await send("message_start", { message });
      await send("ping", {});
    },
    async text(piece) {
      await openBlock("text");
      await delta({ type: "text_delta", text: piece });
    },
    async think(piece) {
      await openBlock("thinking");
      await delta({ type: "thinking_delta", thinking: piece });
    },
    async call({ name }, pieces) {
      await closeBlock();
      await send("content_block_start", {
        index,
        content_block: { type: "tool_use", id: newId("toolu_"), name, input: {} },
      });
      for (const piece of pieces) await delta({ type: "input_json_delta", partial_json: piece });
      await send("content_block_stop", { index });
      index++;
    },
    midError: (type = "overloaded_error", message = "Overloaded") => send("error", { error: { type, message } }),
    async finish(stop) {
      await closeBlock();
      const usage = usageOf(settings.usage, settings.usage.output);
      await send("message_delta", { delta: { stop_reason: stopReasons[stop], stop_sequence: null }, usage });
      await send("message_stop", {});
    },
  };
};

const whole: Dialect["whole"] = (parts, stop, { model }, { usage }) => {
  const content = parts.map((part) => {
    if (part.kind === "call")
      return { type: "tool_use", id: newId("toolu_"), name: part.call.name, input: part.call.input };
    if (part.kind === "text") return { type: "text", text: part.text };
    return { type: "thinking", thinking: part.text, signature };
  });
  const head = { id: newId("msg_"), type: "message", role: "assistant", model };
  const tail = { stop_reason: stopReasons[stop], stop_sequence: null, usage: usageOf(usage, usage.output) };
  return { ...head, content, ...tail };
};

interface Usual {
  readonly status: number;
  readonly type: string;
  readonly message?: string;
}

const byStatus: Readonly<Record<number, Omit<Usual, "status">>> = {
  400: { type: "invalid_request_error" },
  401: { type: "authentication_error", message: "invalid x-api-key" },
  402: { type: "billing_error" },
  403: { type: "permission_error", message: "Your API key does not have permission to use the specified resource." },
  404: { type: "not_found_error", message: "model: unknown" },
  413: { type: "request_too_large", message: "Request exceeds the maximum size" },
  429: { type: "rate_limit_error", message: "Too many requests." },
  500: { type: "api_error", message: "Internal server error" },
  529: { type: "overloaded_error", message: "Overloaded" },
};

const byMeaning: Readonly<Record<Meaning, Usual>> = {
  key: { status: 401, type: "authentication_error", message: "invalid x-api-key" },
  credit: {
    status: 400,
    type: "invalid_request_error",
    message:
      "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  },
  too_long: {
    status: 400,
    type: "invalid_request_error",
    message: "prompt is too long: 250000 tokens > 200000 maximum",
  },
};

const planUsedUp = "This request would exceed your account's rate limit. Please try again later.";

function error({ status, meaning, type, message, limit }: Failure): ServiceError {
  const usual: Usual = meaning ? byMeaning[meaning] : { status, type: "api_error", ...byStatus[status] };
  const said = message ?? (limit ? planUsedUp : usual.message) ?? `Scripted error ${usual.status}`;
  return {
    status: usual.status,
    body: { type: "error", error: { type: type ?? usual.type, message: said } },
  };
}

const statuses = { ok: "allowed", warning: "allowed_warning", reached: "rejected" } as const;
const windows = { five_hour: "5h", seven_day: "7d" } as const;

function limitHeaders(limit: Limit, now: number): Record<string, string> {
  const prefix = "anthropic-ratelimit-unified";
  const status = statuses[limit.status];
  const reset = String(Math.floor(now / 1000) + limit.resetsInSeconds);
  const own = `${prefix}-${windows[limit.window]}`;
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

export const anthropic: Dialect = { route, stream, whole, idHeader: "request-id", error, limitHeaders };
