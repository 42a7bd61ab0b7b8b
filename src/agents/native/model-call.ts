/** A request to the model and its answer: streamed, and retried when that can help. */
import type {
  AssistantContent,
  AssistantModelMessage,
  CallWarning,
  ContentPart,
  ModelMessage,
  ProviderMetadata,
  Tool,
  ToolSet,
} from "ai";
import type { ChosenModel, Endpoint, Environment } from "./endpoints.ts";
import { serviceError } from "./failures.ts";
import { messageFor } from "./transcript.ts";
import { loaded, packagesFor } from "./program.ts";
import type { ToolDefinition } from "./tools/definition.ts";
import { AnswerTranslator } from "./translate.ts";
import type { Turn } from "./turn.ts";
import { tokensOf } from "./usage.ts";
import { orEnd, sleepOrEnd } from "../shared/in-process/stop-turn.ts";
import { errorInfo, isReinsError, type ReinsError } from "../../events/errors.ts";
import type { AgentEvent, Tokens } from "../../events/types.ts";
import type * as Ai from "ai";

export interface ModelCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

export interface ModelAnswer {
  readonly messages: readonly ModelMessage[];
  readonly calls: readonly ModelCall[];
  /** `stop`, `tool-calls`, `length`, `content-filter`, ... */
  readonly finish: string;
  readonly text: string;
  readonly tokens: Tokens;
}

/** `cut` gets the text of an answer that will not be finished. */
export async function askModel(
  turn: Turn,
  request: ModelRequest,
  cut: (text: string) => Promise<void>,
): Promise<ModelAnswer> {
  for (let failures = 1; ; failures++) {
    const translator = new AnswerTranslator((kind) => turn.newId(kind), turn.context.options.raw === true);
    try {
      await turn.emit({ type: "turn.phase", phase: "model" });
      return await attempt(turn, request, translator);
    } catch (thrown) {
      const error = isReinsError(thrown) ? thrown : serviceError(thrown, turn.context.model.endpoint);
      const delay = turn.signal.aborted ? undefined : delayFor(error, failures, Date.now());
      if (delay === undefined) {
        const { text } = translator;
        closeAll(turn, translator.complete());
        await cut(text);
        turn.signal.throwIfAborted();
        throw error;
      }
      closeAll(turn, translator.discard());
      await waitVisibly(turn, error, failures, delay);
    }
  }
}

async function attempt(turn: Turn, request: ModelRequest, translator: AnswerTranslator): Promise<ModelAnswer> {
  const { sdk, model } = await languageModel(turn.context.model, turn.context.fetch);
  let content: readonly ContentPart<ToolSet>[] = [];
  // Only the single call of the package: Reins itself does the loop, the tools and the retries.
  const asked = sdk.experimental_streamLanguageModelCall({
    ...requestOf(sdk, request),
    model,
    abortSignal: turn.signal,
    onLanguageModelCallEnd: (end) => void (content = end.content),
  });
  const reader = (await orEnd(turn.signal, asked)).stream.getReader();
  // A cancel does not wait for the service.
  const leave = (): void => void reader.cancel().catch(() => {});
  turn.signal.addEventListener("abort", leave, { once: true });
  const calls: ModelCall[] = [];
  let finish: { reason: string; tokens: Tokens } | undefined;
  try {
    for (;;) {
      const { done, value: part } = await reader.read();
      if (done) break;
      for (const event of translator.take(part)) {
        const room = turn.emit(event);
        if (room !== undefined) await room;
      }
      if (part.type === "model-call-start") tell(turn, part.warnings);
      if (part.type === "error") throw part.error;
      if (part.type === "tool-call")
        calls.push({ toolCallId: part.toolCallId, toolName: part.toolName, input: part.input });
      if (part.type === "model-call-end") finish = { reason: part.finishReason, tokens: tokensOf(part.usage) };
    }
  } finally {
    turn.signal.removeEventListener("abort", leave);
    leave();
  }
  turn.signal.throwIfAborted();
  // Some services end a broken answer as if it were whole.
  if (finish === undefined || finish.reason === "error" || finish.reason === "interrupted")
    throw new Error("The answer was interrupted.");
  const { text } = translator;
  closeAll(turn, translator.complete());
  const message = answerMessage(content);
  return { messages: message ? [message] : [], calls, text, finish: finish.reason, tokens: finish.tokens };
}

function tell(turn: Turn, warnings: readonly CallWarning[]): void {
  for (const one of warningsOf(turn.context.model.endpoint, warnings)) diverge(turn, one);
}

/** Once per session, because the same applies to every request. */
function diverge(turn: Turn, message: string): void {
  if (turn.context.divergences.has(message)) return;
  turn.context.divergences.add(message);
  turn.close({ type: "notice", level: "warning", code: "divergence", message });
}

function closeAll(turn: Turn, events: readonly AgentEvent[]): void {
  for (const event of events) turn.close(event);
}

type Part = Exclude<AssistantContent, string>[number];

export function answerMessage(content: readonly ContentPart<ToolSet>[]): AssistantModelMessage | undefined {
  const parts = content.flatMap((part): readonly Part[] => {
    switch (part.type) {
      case "text":
        if (part.text === "" && part.providerMetadata === undefined) return [];
        return [{ type: "text", text: part.text, ...signed(part) }];
      case "reasoning":
        return [{ type: "reasoning", text: part.text, ...signed(part) }];
      case "custom":
        return [{ type: "custom", kind: part.kind, ...signed(part) }];
      case "file":
      case "reasoning-file":
        return [{ type: part.type, data: part.file.base64, mediaType: part.file.mediaType, ...signed(part) }];
      case "tool-call": {
        const { toolCallId, toolName, invalid, input } = part;
        // Services refuse an input that is not an object.
        const sent: unknown = invalid === true && typeof input !== "object" ? {} : input;
        return [{ type: "tool-call", toolCallId, toolName, input: sent, ...signed(part) }];
      }
      default:
        return [];
    }
  });
  return parts.length === 0 ? undefined : { role: "assistant", content: parts };
}

/** Metadata that the service needs back, such as a signature. */
function signed({ providerMetadata }: { readonly providerMetadata?: ProviderMetadata | undefined }): {
  providerOptions?: ProviderMetadata;
} {
  return providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
}

export interface ModelRequest {
  readonly model: ChosenModel;
  readonly instructions: string;
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly ModelMessage[];
  readonly env: Environment;
}

interface SentRequest extends OfferedTools, Thinking {
  readonly instructions: string;
  readonly messages: ModelMessage[];
  readonly providerOptions?: { anthropic: { cacheControl: { type: "ephemeral" } } };
}

export function requestOf(sdk: Sdk, request: ModelRequest): SentRequest {
  const { model, instructions, tools } = request;
  const service = model.endpoint.dialect === "compatible" ? model.endpoint.name : model.endpoint.dialect;
  return {
    instructions,
    messages: request.messages.flatMap((message) => messageFor(service, message) ?? []),
    ...toolsOf(sdk, tools),
    ...thinking(request.env),
    // Anthropic caches the beginning of a conversation only on request.
    ...(service === "anthropic" ? { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } } : {}),
  };
}

interface OfferedTools {
  readonly tools?: ToolSet;
  readonly toolOrder?: string[];
}

function toolsOf(sdk: Sdk, definitions: readonly ToolDefinition[]): OfferedTools {
  if (definitions.length === 0) return {};
  const tools = Object.fromEntries(definitions.map((definition) => [definition.name, offered(sdk, definition)]));
  // Without an order they are sorted by name, and a server's tools would be mixed with those of Reins.
  return { tools, toolOrder: definitions.map(({ name }) => name) };
}

/** Created once per definition, because every request offers the same tools (bench native-warm-turn). */
const offeredTools = new WeakMap<ToolDefinition, Tool>();

function offered(sdk: Sdk, definition: ToolDefinition): Tool {
  let tool = offeredTools.get(definition);
  if (tool === undefined) {
    const { description, inputSchema } = definition;
    offeredTools.set(definition, (tool = sdk.tool({ description, inputSchema: sdk.jsonSchema(inputSchema) })));
  }
  return tool;
}

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

interface Thinking {
  readonly reasoning?: (typeof efforts)[number];
}

function thinking(env: Environment): Thinking {
  const effort = efforts.find((word) => word === env["REINS_NATIVE_THINKING"]);
  return effort === undefined ? {} : { reasoning: effort };
}

const delays = [300, 1_500];
/** A longer wait is left to the caller. */
const longestMs = 5_000;

/** Milliseconds until another attempt; undefined when there is none. `failures` counts this one. */
export function delayFor(error: ReinsError, failures: number, now: number): number | undefined {
  const usual = delays[failures - 1];
  if (usual === undefined || !["rate_limited", "overloaded", "network"].includes(error.code)) return undefined;
  const told = error.resetsAt === undefined ? usual : Math.max(usual, Date.parse(error.resetsAt) - now);
  return told > longestMs ? undefined : told;
}

async function waitVisibly(turn: Turn, error: ReinsError, failures: number, delay: number): Promise<void> {
  await turn.emit({ type: "turn.phase", phase: "retry" });
  const event = { attempt: failures, ofMax: delays.length, delayMs: Math.round(delay), error: errorInfo(error) };
  await turn.emit({ type: "agent.retrying", ...event });
  await sleepOrEnd(turn.signal, delay);
}

type Fetch = typeof globalThis.fetch;
type Sdk = typeof Ai;

interface Asked {
  readonly sdk: Sdk;
  readonly model: Model;
}

/** Models by choice: every request needs one, and an import takes time even when the module is loaded (bench native-warm-turn). */
const models = new WeakMap<ChosenModel, Asked & { readonly fetch: Fetch }>();

/** Passes everything explicitly; otherwise the packages would read this process's own environment. */
export async function languageModel(chosen: ChosenModel, fetch: Fetch): Promise<Asked> {
  const before = models.get(chosen);
  if (before?.fetch === fetch) return before;
  const { endpoint, id } = chosen;
  const asked = await loaded(packagesFor(endpoint.dialect), async () => {
    const [sdk, named] = [await import("ai"), await modelsOf(endpoint, fetch)];
    return { fetch, sdk, model: named(id) };
  });
  models.set(chosen, asked);
  return asked;
}

function warningsOf({ label }: Endpoint, warnings: readonly Ai.CallWarning[]): string[] {
  return warnings.map((warning) => {
    if (!("feature" in warning)) return `${label}: ${warning.message}`;
    const details = warning.details === undefined ? "." : `: ${warning.details}`;
    return `${label} does not fully support ${warning.feature}${details}`;
  });
}

/** `generateText` prints its warnings on the terminal; this suppresses them. */
export function silently({ sdk, model }: Asked): Model {
  const middleware: Middleware = {
    specificationVersion: "v4",
    wrapGenerate: async ({ doGenerate }) => ({ ...(await doGenerate()), warnings: [] }),
  };
  return sdk.wrapLanguageModel({ model, middleware });
}

type Wrapping = Parameters<Sdk["wrapLanguageModel"]>[0];
type Model = Wrapping["model"];
type Middleware = Wrapping["middleware"];

async function modelsOf(endpoint: Endpoint, fetch: Fetch): Promise<(id: string) => Model> {
  const { name, baseUrl: baseURL, key: apiKey = "" } = endpoint;
  switch (endpoint.dialect) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ baseURL, apiKey, fetch });
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ baseURL, apiKey, fetch });
    }
    case "compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const key = apiKey === "" ? {} : { apiKey };
      return createOpenAICompatible({ name, baseURL, ...key, fetch, includeUsage: true });
    }
  }
}
