/** OpenAI Chat Completions: `POST /v1/chat/completions`, streamed or whole. Many other services speak it too. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Item } from "../conversation.ts";
import { asText, beginEvents, conversationIn, fields, joined, list, newId, write } from "./dialect.ts";
import type { AnswerSettings, AnswerWriter, Call, Dialect, ModelRequest, Part, Route } from "./dialect.ts";
import { error, streamError, modelsRoute } from "./openai-errors.ts";
import type { Limit, Stop, Usage } from "../scenario.ts";

export const openaiChat: Dialect = {
  route,
  stream,
  whole,
  idHeader: "x-request-id",
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

function read(body: unknown, headers: IncomingHttpHeaders): ModelRequest {
  const messages = conversationIn(body, "messages");
  const { model, stream, stream_options: options, user } = fields(body);
  const instructions = messages
    .filter(isSystem)
    .flatMap((message) => partsOf(fields(message)["content"]).flatMap(textOf));
  return {
    model: asText(model) ?? "scripted",
    stream: stream === true,
    instructions: instructions.join("\n"),
    items: messages.flatMap(itemsOf),
    conversation: asText(headers["x-session-id"]) ?? asText(user),
    side: sideOf(body, instructions.length > 0),
    silentUsage: fields(options)["include_usage"] !== true,
  };
}

/** The agent's own work has tools; what has none and was still told who it is (a title, a summary) is a request aside. */
function sideOf(body: unknown, instructed: boolean): ModelRequest["side"] {
  const { tools, response_format: format } = fields(body);
  if (list(tools).length > 0) return undefined;
  const { type, json_schema: wanted } = fields(format);
  if (type === "json_schema") return { schema: fields(wanted)["schema"] };
  if (type === "json_object") return { schema: { type: "object" } };
  return instructed ? "words" : undefined;
}

const isSystem = (message: unknown): boolean => ["system", "developer"].includes(String(fields(message)["role"]));

function itemsOf(message: unknown): Item[] {
  const { role, content } = fields(message);
  if (role === "assistant") return [{ from: "model" }];
  const parts = partsOf(content);
  // A failed call looks like any other: the wire does not say.
  if (role === "tool")
    return [{ from: "tool", text: parts.flatMap(textOf).join("\n"), failed: false }, ...parts.flatMap(imageOf)];
  return role === "user" ? parts.flatMap((part) => [...textOf(part).map(said), ...imageOf(part)]) : [];
}

const partsOf = (content: unknown): readonly unknown[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : list(content);

const said = (text: string): Item => ({ from: "user", text });
const textOf = (part: unknown): string[] => {
  const { type, text } = fields(part);
  return type === "text" ? [String(text)] : [];
};
const imageOf = (part: unknown): Item[] => (fields(part)["type"] === "image_url" ? [{ from: "image" }] : []);

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

function stream(response: ServerResponse, request: ModelRequest, settings: AnswerSettings): AnswerWriter {
  const head = newAnswer("chat.completion.chunk", request.model);
  let begun = false;
  let calls = 0;

  const send = (data: object): Promise<void> => write(response, `data: ${JSON.stringify(data)}\n\n`);
  const chunk = (delta: object, reason: string | null = null): Promise<void> =>
    send({ ...head, choices: [{ index: 0, delta, finish_reason: reason }] });

  async function begin(): Promise<void> {
    if (begun) return;
    begun = true;
    beginEvents(response, settings.headers);
    await chunk({ role: "assistant", content: "" });
  }

  return {
    async text(piece) {
      await begin();
      await chunk({ content: piece });
    },
    async think(piece) {
      await begin();
      await chunk({ reasoning_content: piece });
    },
    async call({ name }, pieces) {
      await begin();
      const index = calls++;
      await chunk({ tool_calls: [{ index, ...toolCall(name, "") }] });
      for (const piece of pieces) await chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    },
    async midError(type, message) {
      await begin();
      await send({ error: { ...streamError(type, message), type: "server_error", param: null } });
      response.end();
      return true;
    },
    async finish(stop) {
      await begin();
      await chunk({}, finishReasons[stop]);
      if (request.silentUsage !== true) await send({ ...head, choices: [], usage: usageOf(settings.usage) });
      await write(response, "data: [DONE]\n\n");
      response.end();
    },
  };
}

function whole(parts: readonly Part[], stop: Stop, { model }: ModelRequest, { usage }: AnswerSettings): object {
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
}
