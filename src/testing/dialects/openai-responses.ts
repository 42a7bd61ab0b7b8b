/** OpenAI Responses: `POST /v1/responses`, streamed or not. */
import type { SpelledToolCall } from "../../agents/contract.ts";
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
import { error, streamError, modelsRoute } from "./openai-errors.ts";
import type { Stop, Usage } from "../scenario.ts";

const route: Dialect["route"] = (call) => {
  if (call.path === "/v1/responses" && call.method === "POST") return { kind: "answer", read };
  // Agents try a WebSocket first, and send a POST after this refusal.
  if (call.path === "/v1/responses" && call.headers.upgrade !== undefined)
    return { kind: "hello", status: 426, reply: () => ({}) };
  return modelsRoute(call);
};

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

function read(body: unknown): ModelRequest {
  const { model, stream, instructions, tools, text, prompt_cache_key: key, input } = record(body);
  const entries = typeof input === "string" ? [{ role: "user", content: input }] : conversationIn(body, "input");
  const format = record(record(text)["format"]);
  const hasTools = list(tools).length > 0 || entries.some((entry) => record(entry)["type"] === "additional_tools");
  const isSide = format["type"] === "json_schema" && !hasTools;
  return {
    model: asText(model) ?? "scripted",
    stream: stream === true,
    instructions: [asText(instructions) ?? "", ...entries.flatMap(instructionsIn)].join("\n"),
    items: entries.flatMap(itemsOf),
    conversation: asText(key),
    side: isSide ? { schema: format["schema"] } : undefined,
  };
}

function instructionsIn(entry: unknown): string[] {
  const { role, content } = record(entry);
  return role === "system" || role === "developer" ? partsOf(content, "input_text").flatMap(textOf) : [];
}

function itemsOf(entry: unknown): Item[] {
  const { type, role, content, output } = record(entry);
  const kind = asText(type) ?? "message";
  if (kind.endsWith("_output")) return [resultOf(output), ...imagesOf(output)];
  if (kind !== "message") return kind === "additional_tools" ? [] : [{ from: "model" }];
  if (role === "assistant") return [{ from: "model" }];
  return role === "user" ? partsOf(content, "input_text").flatMap(itemOf) : [];
}

function itemOf(part: unknown): Item[] {
  const { type, text } = record(part);
  if (type === "input_image") return [{ from: "image" }];
  return type === "input_text" ? [{ from: "user", text: String(text) }] : [];
}

/** This format does not mark failed calls. */
const resultOf = (output: unknown): Item => ({
  from: "tool",
  text: partsOf(output, "input_text").flatMap(textOf).join("\n"),
  failed: false,
});

const imagesOf = (output: unknown): Item[] =>
  partsOf(output, "input_text")
    .flatMap(itemOf)
    .filter((item) => item.from === "image");

/** An item of an answer, as the agent returns it later. */
type OutputItem = Readonly<Record<string, unknown>> & { readonly id: string };

const messageItem = (id: string, text: string): OutputItem => ({
  type: "message",
  id,
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
});

const reasoningItem = (id: string, text: string): OutputItem => ({
  type: "reasoning",
  id,
  summary: [{ type: "summary_text", text }],
  // The agent returns this unread.
  encrypted_content: Buffer.from("scripted").toString("base64"),
});

/** A call whose input is a string is a call of a freeform ("custom") tool. */
function callItem({ name, namespace, input }: SpelledToolCall, spelled: string): OutputItem {
  const call = {
    call_id: newId("call_"),
    name,
    ...(namespace === undefined ? {} : { namespace }),
    status: "completed",
  };
  return typeof input === "string"
    ? { type: "custom_tool_call", id: newId("ctc_"), ...call, input: spelled }
    : { type: "function_call", id: newId("fc_"), ...call, arguments: spelled };
}

/** The fields at the end of an answer, apart from its usage. */
const endings: Readonly<Record<Stop, Readonly<Record<string, unknown>> & { status: string }>> = {
  end: { status: "completed" },
  call: { status: "completed" },
  stop_sequence: { status: "completed" },
  max_tokens: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
  refusal: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
  context: {
    status: "failed",
    error: {
      code: "context_length_exceeded",
      message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
    },
  },
};

const newResponse = (model: string) => ({
  id: newId("resp_"),
  object: "response",
  created_at: Math.floor(Date.now() / 1000),
  status: "in_progress",
  error: null,
  incomplete_details: null,
  model,
  output: [] as readonly OutputItem[],
  parallel_tool_calls: true,
  tool_choice: "auto",
  tools: [],
  usage: null,
  metadata: {},
});

function usageOf({ input, output, cacheRead, cacheWrite, thought }: Required<Usage>) {
  const asked = input + cacheRead + cacheWrite;
  return {
    input_tokens: asked,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: thought },
    total_tokens: asked + output,
  };
}

interface Block {
  readonly kind: "message" | "reasoning";
  readonly id: string;
  text: string;
}

const stream: Dialect["stream"] = (response, request, settings) => {
  const whole = newResponse(request.model);
  const output: OutputItem[] = [];
  let sequence = 0;
  let open: Block | undefined;

  const send = (type: string, data: object): Promise<void> =>
    write(response, `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...data })}\n\n`);
  /** The position of a delta in the answer. */
  const at = (id: string) => ({ item_id: id, output_index: output.length });

  const added = (item: object) => send("response.output_item.added", { output_index: output.length, item });

  async function done(item: OutputItem): Promise<void> {
    await send("response.output_item.done", { output_index: output.length, item });
    output.push(item);
  }

  // An item stays open until the next one begins, so that a cut or an error hits it in the middle.
  async function openItem(kind: Block["kind"]): Promise<Block> {
    if (open?.kind === kind) return open;
    await closeItem();
    open = { kind, id: newId(kind === "message" ? "msg_" : "rs_"), text: "" };
    const { id } = open;
    if (kind === "message") {
      await added({ ...messageItem(id, ""), status: "in_progress", content: [] });
      const part = { type: "output_text", text: "", annotations: [], logprobs: [] };
      await send("response.content_part.added", { ...at(id), content_index: 0, part });
    } else {
      await added({ ...reasoningItem(id, ""), summary: [] });
      const part = { type: "summary_text", text: "" };
      await send("response.reasoning_summary_part.added", { ...at(id), summary_index: 0, part });
    }
    return open;
  }

  async function closeItem(): Promise<void> {
    if (open === undefined) return;
    const { kind, id, text } = open;
    open = undefined;
    if (kind === "message") {
      const part = { type: "output_text", text, annotations: [], logprobs: [] };
      await send("response.output_text.done", { ...at(id), content_index: 0, text, logprobs: [] });
      await send("response.content_part.done", { ...at(id), content_index: 0, part });
      await done(messageItem(id, text));
    } else {
      const part = { type: "summary_text", text };
      await send("response.reasoning_summary_text.done", { ...at(id), summary_index: 0, text });
      await send("response.reasoning_summary_part.done", { ...at(id), summary_index: 0, part });
      await done(reasoningItem(id, text));
    }
  }

  async function end(ending: Readonly<Record<string, unknown>> & { status: string }): Promise<void> {
    await send(`response.${ending.status}`, { response: { ...whole, output, ...ending } });
  }

  return {
    async begin() {
      await send("response.created", { response: whole });
      await send("response.in_progress", { response: whole });
    },
    async text(piece) {
      const item = await openItem("message");
      item.text += piece;
      await send("response.output_text.delta", { ...at(item.id), content_index: 0, delta: piece, logprobs: [] });
    },
    async think(piece) {
      const item = await openItem("reasoning");
      item.text += piece;
      await send("response.reasoning_summary_text.delta", { ...at(item.id), summary_index: 0, delta: piece });
    },
    async call(call, pieces) {
      await closeItem();
      const item = callItem(call, pieces.join(""));
      const field = typeof call.input === "string" ? "input" : "arguments";
      const type =
        typeof call.input === "string" ? "response.custom_tool_call_input" : "response.function_call_arguments";
      await added({ ...item, status: "in_progress", [field]: "" });
      for (const piece of pieces) await send(`${type}.delta`, { ...at(item.id), delta: piece });
      await send(`${type}.done`, { ...at(item.id), [field]: pieces.join("") });
      await done(item);
    },
    midError: (type, message) => end({ status: "failed", error: streamError(type, message) }),
    async finish(stop) {
      await closeItem();
      await end({ usage: usageOf(settings.usage), ...endings[stop] });
    },
  };
};

const whole: Dialect["whole"] = (parts, stop, { model }, { usage }) => {
  const output = parts.map((part) => {
    if (part.kind === "call") return callItem(part.call, part.spelled);
    return part.kind === "text" ? messageItem(newId("msg_"), part.text) : reasoningItem(newId("rs_"), part.text);
  });
  return { ...newResponse(model), output, usage: usageOf(usage), ...endings[stop] };
};

export const openaiResponses: Dialect = {
  route,
  stream,
  whole,
  idHeader: "x-request-id",
  error: (failure) =>
    failure.status === 429 && failure.limit ? usageLimitReached(failure, failure.limit) : error(failure),
};
