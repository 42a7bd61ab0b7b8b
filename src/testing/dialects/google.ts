/** Google's generateContent: `POST /v1beta/models/<model>:streamGenerateContent` and `:generateContent`. */
import { setImmediate as nextRound } from "node:timers/promises";
import type { SpelledToolCall } from "../../agents/contract.ts";
import { list, record } from "../../protocols/json.ts";
import type { Item } from "../conversation.ts";
import {
  asText,
  conversationIn,
  joined,
  newId,
  textOf,
  write,
  type Dialect,
  type Failure,
  type ModelRequest,
  type Route,
  type ServiceError,
} from "./dialect.ts";
import type { Meaning, Stop, Usage } from "../scenario.ts";

const address = /^\/v1(?:beta|alpha)?\/models\/([^/:]+):(\w+)$/;

const route: Dialect["route"] = ({ method, path }) => {
  if (method === "GET") return listing(path);
  const [, model, verb] = address.exec(path) ?? [];
  if (method !== "POST" || model === undefined) return undefined;
  if (verb === "generateContent") return { kind: "answer", read: (body) => read(body, model, false) };
  if (verb === "streamGenerateContent") return { kind: "answer", read: (body) => read(body, model, true) };
  if (verb === "countTokens") return { kind: "count", reply: (bytes) => ({ totalTokens: Math.ceil(bytes / 4) }) };
  return undefined;
};

function listing(path: string): Route | undefined {
  if (path === "/v1beta/models") return { kind: "models", reply: () => ({ models: [about("scripted")] }) };
  const id = /^\/v1beta\/models\/([^/:]+)$/.exec(path)?.[1];
  return id === undefined ? undefined : { kind: "models", reply: () => about(id) };
}

const about = (id: string) => ({
  name: `models/${id}`,
  version: "1",
  displayName: "Scripted model",
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: ["generateContent", "countTokens"],
});

/** The path names the model and whether to stream. */
function read(body: unknown, model: string, stream: boolean): ModelRequest {
  return {
    model,
    stream,
    instructions: list(record(record(body)["systemInstruction"])["parts"])
      .flatMap(textOf)
      .join("\n"),
    items: conversationIn(body, "contents").flatMap(itemsOf),
    conversation: undefined,
    side: sideOf(body),
  };
}

/**
 * A request of the agent for its user has tools. A request without tools but with a schema or instructions (a title, a summary) is a side
 * request.
 */
function sideOf(body: unknown): ModelRequest["side"] {
  const { tools, generationConfig, systemInstruction } = record(body);
  if (list(tools).length > 0) return undefined;
  const config = record(generationConfig);
  const schema = config["responseJsonSchema"] ?? config["responseSchema"];
  if (schema !== undefined) return { schema };
  return systemInstruction === undefined ? undefined : "words";
}

function itemsOf(content: unknown): Item[] {
  const { role, parts } = record(content);
  return role === "model" ? [{ from: "model" }] : list(parts).flatMap(itemOf);
}

function itemOf(part: unknown): Item[] {
  const { functionResponse, inlineData, fileData } = record(part);
  if (functionResponse !== undefined) return resultOf(functionResponse);
  if (inlineData !== undefined || fileData !== undefined) return [{ from: "image" }];
  return textOf(part).map((text): Item => ({ from: "user", text }));
}

function resultOf(functionResponse: unknown): Item[] {
  const { response, parts } = record(functionResponse);
  const { output, error } = record(response);
  const text = asText(output) ?? asText(error) ?? JSON.stringify(response ?? {});
  const images = list(parts)
    .flatMap(itemOf)
    .filter((item) => item.from === "image");
  return [{ from: "tool", text, failed: error !== undefined }, ...images];
}

const finishReasons: Readonly<Record<Stop, string>> = {
  end: "STOP",
  call: "STOP",
  max_tokens: "MAX_TOKENS",
  refusal: "SAFETY",
  stop_sequence: "STOP",
  context: "MAX_TOKENS",
};

type GooglePart =
  | { readonly text: string; readonly thought?: true }
  | { readonly functionCall: { readonly name: string; readonly args: unknown }; readonly thoughtSignature: string };

/** The agent returns the signature unread. Arguments are always an object. */
const callPart = ({ name, input }: SpelledToolCall): GooglePart => ({
  functionCall: { name, args: typeof input === "object" && input !== null ? input : { input } },
  thoughtSignature: Buffer.from("scripted").toString("base64"),
});

const candidate = (parts: readonly GooglePart[], finishReason?: string) => ({
  content: { role: "model", parts },
  ...(finishReason === undefined ? {} : { finishReason }),
  index: 0,
});

function usageOf({ input, output, cacheRead, cacheWrite, thought }: Required<Usage>) {
  const asked = input + cacheRead + cacheWrite;
  return {
    promptTokenCount: asked,
    candidatesTokenCount: output - thought,
    totalTokenCount: asked + output,
    ...(cacheRead === 0 ? {} : { cachedContentTokenCount: cacheRead }),
    ...(thought === 0 ? {} : { thoughtsTokenCount: thought }),
  };
}

const stream: Dialect["stream"] = (response, request, settings) => {
  const usageMetadata = usageOf(settings.usage);
  const tail = { usageMetadata, modelVersion: request.model, responseId: newId("") };

  const chunk = (part: GooglePart, finishReason?: string): Promise<void> => {
    const data = { candidates: [candidate([part], finishReason)], ...tail };
    return write(response, `data: ${escaped(JSON.stringify(data))}\r\n\r\n`);
  };

  return {
    text: (piece) => chunk({ text: piece }),
    think: (piece) => chunk({ text: piece, thought: true }),
    call: (call) => chunk(callPart(call)),
    async midError(type, message) {
      // Google's client library expects an error as plain JSON in a separate chunk, not as an SSE event.
      await nextRound();
      await write(response, JSON.stringify(error({ status: 503, type, message }).body));
    },
    finish: (stop) => chunk({ text: "" }, finishReasons[stop]),
  };
};

/** Escapes U+2028 and U+2029 as Google's service does, because its library takes them for the end of a line. */
function escaped(json: string): string {
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

const whole: Dialect["whole"] = (parts, stop, { model }, { usage }) => {
  const [said, thought] = [joined(parts, "text"), joined(parts, "thought")];
  const calls = parts.flatMap((part) => (part.kind === "call" ? [callPart(part.call)] : []));
  const all: GooglePart[] = [
    ...(thought === "" ? [] : [{ text: thought, thought: true } as const]),
    ...(said === "" && calls.length > 0 ? [] : [{ text: said }]),
    ...calls,
  ];
  const candidates = [candidate(all, finishReasons[stop])];
  return { candidates, usageMetadata: usageOf(usage), modelVersion: model, responseId: newId("") };
};

interface Usual {
  readonly code: number;
  readonly status: string;
  readonly message?: string;
  readonly details?: readonly object[];
}

/** Google has no separate status for overload. */
const overloaded: Usual = {
  code: 503,
  status: "UNAVAILABLE",
  message: "The model is overloaded. Please try again later.",
};

const byStatus: Readonly<Record<number, Usual>> = {
  400: { code: 400, status: "INVALID_ARGUMENT", message: "Request contains an invalid argument." },
  401: {
    code: 401,
    status: "UNAUTHENTICATED",
    message:
      "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
  },
  403: { code: 403, status: "PERMISSION_DENIED", message: "The caller does not have permission" },
  404: {
    code: 404,
    status: "NOT_FOUND",
    message:
      "models/unknown is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.",
  },
  429: { code: 429, status: "RESOURCE_EXHAUSTED" },
  500: { code: 500, status: "INTERNAL", message: "An internal error has occurred. Please retry." },
  503: overloaded,
  529: overloaded,
};

const byMeaning: Readonly<Record<Meaning, Usual>> = {
  // To Google, a wrong key is an invalid argument.
  key: {
    code: 400,
    status: "INVALID_ARGUMENT",
    message: "API key not valid. Please pass a valid API key.",
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "API_KEY_INVALID",
        domain: "googleapis.com",
        metadata: { service: "generativelanguage.googleapis.com" },
      },
    ],
  },
  credit: {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    message: "Your prepayment credits are depleted. Please go to AI Studio to manage your project and billing.",
  },
  too_long: {
    code: 400,
    status: "INVALID_ARGUMENT",
    message: "The input token count (250000) exceeds the maximum number of tokens allowed (200000).",
  },
};

function error(failure: Failure): ServiceError {
  const { status, meaning, type, message } = failure;
  const usual: Usual = meaning
    ? byMeaning[meaning]
    : (byStatus[status] ?? { code: status, status: status < 500 ? "FAILED_PRECONDITION" : "INTERNAL" });
  const { code } = usual;
  const details = usual.details ?? (code === 429 && !meaning ? exhausted(failure) : undefined);
  const said = message ?? usual.message ?? usualMessage(failure);
  return {
    status: code,
    body: { error: { code, message: said, status: type ?? usual.status, ...(details ? { details } : {}) } },
  };
}

function usualMessage({ status, retryAfterSeconds: seconds }: Failure): string {
  if (status !== 429) return `Scripted error ${status}`;
  const when = seconds === undefined ? "" : ` Please retry in ${seconds}s.`;
  return `You exceeded your current quota, please check your plan and billing details.${when}`;
}

/**
 * Google reports the quota and the time to retry here, not in headers. Agents distinguish a quota per minute from one per day by its id.
 */
function exhausted({ retryAfterSeconds: seconds, limit, message }: Failure): object[] {
  const per = limit?.status === "reached" ? "PerDay" : "PerMinute";
  const violation = {
    quotaMetric: "generativelanguage.googleapis.com/generate_content_free_tier_requests",
    quotaId: `GenerateRequests${per}PerProjectPerModel-FreeTier`,
    quotaDimensions: { location: "global", model: "scripted" },
    quotaValue: "20",
  };
  return [
    // A custom message is not about one of the usual quotas.
    ...(message === undefined
      ? [{ "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [violation] }]
      : []),
    ...(seconds === undefined
      ? []
      : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` }]),
  ];
}

export const google: Dialect = { route, stream, whole, error };
