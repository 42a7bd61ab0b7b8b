/** OpenAI Chat Completions: `POST /v1/chat/completions`, streamed or not. Many other services speak it too. */
import type { IncomingHttpHeaders } from "node:http";
import { list, record } from "../../protocols/json.ts";
import type { Item } from "../conversation.ts";
import {
  asText,
  conversationIn,
  joined,
  newId,
  partsOf,
  textOf,
  write,
  type Dialect,
  type ModelRequest,
} from "./dialect.ts";
import { error, streamError, modelsRoute } from "./openai-errors.ts";
import type { Limit, Stop, Usage } from "../scenario.ts";

const route: Dialect["route"] = (call) => {
  if (call.method === "POST" && call.path === "/v1/chat/completions")
    return { kind: "answer", read: (body) => read(body, call.headers) };
  return modelsRoute(call);
};

function limitHeaders({ usedPercent, resetsInSeconds }: Limit): Record<string, string> {
  return {
    "x-ratelimit-limit-requests": "1000",
    "x-ratelimit-remaining-requests": String(Math.max(0, 1000 - usedPercent * 10)),
    "x-ratelimit-reset-requests": `${resetsInSeconds}s`,
  };
}

function read(body: unknown, headers: IncomingHttpHeaders): ModelRequest {
  const messages = conversationIn(body, "messages");
  const { model, stream, stream_options: options, user } = record(body);
  const instructions = messages
    .filter(isSystem)
    .flatMap((message) => partsOf(record(message)["content"]).flatMap(textOf));
  return {
    model: asText(model) ?? "scripted",
    stream: stream === true,
    instructions: instructions.join("\n"),
    items: messages.flatMap(itemsOf),
    conversation: asText(headers["x-session-id"]) ?? asText(user),
    side: sideOf(body, instructions.length > 0),
    silentUsage: record(options)["include_usage"] !== true,
  };
}

/**
 * A request of the agent for its user has tools. A request without tools but with a schema or instructions (a title, a summary) is a side
 * request.
 */
function sideOf(body: unknown, instructed: boolean): ModelRequest["side"] {
  const { tools, response_format: format } = record(body);
  if (list(tools).length > 0) return undefined;
  const { type, json_schema: wanted } = record(format);
  if (type === "json_schema") return { schema: record(wanted)["schema"] };
  if (type === "json_object") return { schema: { type: "object" } };
  return instructed ? "words" : undefined;
}

const isSystem = (message: unknown): boolean => ["system", "developer"].includes(String(record(message)["role"]));

function itemsOf(message: unknown): Item[] {
  const { role, content } = record(message);
  if (role === "assistant") return [{ from: "model" }];
  const parts = partsOf(content);
  // This format does not mark failed calls.
  if (role === "tool")
    return [{ from: "tool", text: parts.flatMap(textOf).join("\n"), failed: false }, ...parts.flatMap(imageOf)];
  return role === "user" ? parts.flatMap((part) => [...textOf(part).map(said), ...imageOf(part)]) : [];
}

const said = (text: string): Item => ({ from: "user", text });
const imageOf = (part: unknown): Item[] => (record(part)["type"] === "image_url" ? [{ from: "image" }] : []);

const finishReasons: Readonly<Record<Stop, string>> = {
  end: "stop",
  call: "tool_calls",
  max_tokens: "length",
  refusal: "content_filter",
  stop_sequence: "stop",
  context: "length",
};

const newAnswer = (object: "chat.completion" | "chat.completion.chunk", model: string) => ({
  id: newId("chatcmpl-"),
  object,
  created: Math.floor(Date.now() / 1000),
  model,
  system_fingerprint: "fp_scripted",
});

export const toolCall = (name: string, spelled: string) => ({
  id: newId("call_"),
  type: "function",
  function: { name, arguments: spelled },
});

function usageOf({ input, output, cacheRead, cacheWrite, thought }: Required<Usage>) {
  const asked = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: asked,
    completion_tokens: output,
    total_tokens: asked + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    completion_tokens_details: { reasoning_tokens: thought },
  };
}

const stream: Dialect["stream"] = (response, request, settings) => {
  const head = newAnswer("chat.completion.chunk", request.model);
  let calls = 0;

  const send = (data: object): Promise<void> => write(response, `data: ${JSON.stringify(data)}\n\n`);
  const chunk = (delta: object, reason: string | null = null): Promise<void> =>
    send({ ...head, choices: [{ index: 0, delta, finish_reason: reason }] });

  return {
    begin: () => chunk({ role: "assistant", content: "" }),
    text: (piece) => chunk({ content: piece }),
    think: (piece) => chunk({ reasoning_content: piece }),
    async call({ name }, pieces) {
      const index = calls++;
      await chunk({ tool_calls: [{ index, ...toolCall(name, "") }] });
      for (const piece of pieces) await chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    },
    midError: (type, message) => send({ error: { ...streamError(type, message), type: "server_error", param: null } }),
    async finish(stop) {
      await chunk({}, finishReasons[stop]);
      if (request.silentUsage !== true) await send({ ...head, choices: [], usage: usageOf(settings.usage) });
      await write(response, "data: [DONE]\n\n");
    },
  };
};

const whole: Dialect["whole"] = (parts, stop, { model }, { usage }) => {
  const [said, thought] = [joined(parts, "text"), joined(parts, "thought")];
  const calls = parts.flatMap((part) => (part.kind === "call" ? [toolCall(part.call.name, part.spelled)] : []));
  const message = {
    role: "assistant",
    content: said === "" && calls.length > 0 ? null : said,
    ...(thought === "" ? {} : { reasoning_content: thought }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    refusal: null,
  };
  const choices = [{ index: 0, message, finish_reason: finishReasons[stop] }];
  return { ...newAnswer("chat.completion", model), choices, usage: usageOf(usage) };
};

export const openaiChat: Dialect = { route, stream, whole, idHeader: "x-request-id", error, limitHeaders };
