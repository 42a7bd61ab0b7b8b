/** One request to the model and its answer: said as it comes, tried again where that can help. */
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
import { setTimeout as wait } from "node:timers/promises";
import type { ChosenModel, Endpoint, Environment } from "./endpoints.ts";
import { serviceError } from "./failures.ts";
import { messageFor } from "./transcript.ts";
import { loaded, packagesFor } from "./program.ts";
import type { ToolDefinition } from "./tools/definition.ts";
import { AnswerTranslator } from "./translate.ts";
import type { Turn } from "./turn.ts";
import { tokensOf } from "./usage.ts";
import { orEnd } from "../shared/in-process/stop-turn.ts";
import { errorInfo, isReinsError } from "../../events/errors.ts";
import type { ReinsError } from "../../events/errors.ts";
import type { AgentEvent, Tokens } from "../../events/types.ts";
import type * as Ai from "ai";

/** A call the model made. */
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

/** `cut` gets what was said of an answer that is not to be finished any more. */
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
  // One call and nothing around it: the loop, its tools and trying again are our own.
  const asked = sdk.experimental_streamLanguageModelCall({
    ...requestOf(sdk, request),
    model,
    abortSignal: turn.signal,
    onLanguageModelCallEnd: (end) => void (content = end.content),
  });
  const reader = (await orEnd(turn.signal, asked)).stream.getReader();
  // Whoever cancels does not wait for a service that does not mind it.
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

/** Once a session: the same is true of every request. */
function diverge(turn: Turn, message: string): void {
  if (turn.context.divergences.has(message)) return;
  turn.context.divergences.add(message);
  turn.close({ type: "notice", level: "warning", code: "divergence", message });
}

function closeAll(turn: Turn, events: readonly AgentEvent[]): void {
  for (const event of events) turn.close(event);
}

type Part = Exclude<AssistantContent, string>[number];

/** Undefined when nothing is left. */
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
        // No service takes back what is no object.
        const sent: unknown = invalid === true && typeof input !== "object" ? {} : input;
        return [{ type: "tool-call", toolCallId, toolName, input: sent, ...signed(part) }];
      }
      default:
        return [];
    }
  });
  return parts.length === 0 ? undefined : { role: "assistant", content: parts };
}

/** What the service wants to see again with it. */
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
    messages: messagesFor(service, request.messages),
    ...toolsOf(sdk, tools),
    ...thinking(request.env),
    // The beginning of a conversation is the same in every request: Anthropic keeps it where it is asked to, the others by themselves.
    ...(service === "anthropic" ? { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } } : {}),
  };
}

/** What was made of a conversation for a service, up to so many of its messages. */
const asTaken = new WeakMap<
  readonly ModelMessage[],
  { readonly service: string; read: number; taken: ModelMessage[] }
>();

/** Every request sends the whole conversation again, and between two of them it only grows. */
function messagesFor(service: string, messages: readonly ModelMessage[]): ModelMessage[] {
  let known = asTaken.get(messages);
  if (known?.service !== service) asTaken.set(messages, (known = { service, read: 0, taken: [] }));
  for (; known.read < messages.length; known.read++) {
    const message = messageFor(service, messages[known.read]!);
    if (message !== undefined) known.taken.push(message);
  }
  return known.taken.slice();
}

interface OfferedTools {
  readonly tools?: ToolSet;
  readonly toolOrder?: string[];
}

/** By what is offered, which stays the same from request to request. */
const asSent = new WeakMap<readonly ToolDefinition[], OfferedTools>();

function toolsOf(sdk: Sdk, definitions: readonly ToolDefinition[]): OfferedTools {
  if (definitions.length === 0) return {};
  let sent = asSent.get(definitions);
  if (sent === undefined) {
    const tools = Object.fromEntries(definitions.map((tool) => [tool.name, offered(sdk, tool)]));
    // Without an order they are sorted by name, and a server's tools would stand between our own.
    asSent.set(definitions, (sent = { tools, toolOrder: definitions.map(({ name }) => name) }));
  }
  return sent;
}

/** The same in every request of every session. */
const asOffered = new WeakMap<ToolDefinition, Tool>();

function offered(sdk: Sdk, definition: ToolDefinition): Tool {
  let tool = asOffered.get(definition);
  if (tool === undefined) {
    const { description, inputSchema } = definition;
    asOffered.set(definition, (tool = sdk.tool({ description, inputSchema: sdk.jsonSchema(inputSchema) })));
  }
  return tool;
}

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

interface Thinking {
  readonly reasoning?: (typeof efforts)[number];
}

/** As the service does by itself, unless somebody chose. */
function thinking(env: Environment): Thinking {
  const effort = efforts.find((word) => word === env["REINS_NATIVE_THINKING"]);
  return effort === undefined ? {} : { reasoning: effort };
}

const delays = [300, 1_500];
/** A service that says to come back later than this is left to the caller. */
const longestMs = 5_000;

/** How long to wait before another attempt; undefined where there is to be none. `failures` counts this one. */
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
  const timer = new AbortController();
  try {
    await orEnd(turn.signal, wait(delay, undefined, { signal: timer.signal }));
  } finally {
    timer.abort();
  }
}

type Fetch = typeof globalThis.fetch;
type Sdk = typeof Ai;

interface Asked {
  readonly sdk: Sdk;
  readonly model: Model;
}

/** Each request asks for it, and an import takes time even of what is there already. */
const known = new WeakMap<ChosenModel, Asked & { readonly fetch: Fetch }>();

/** Everything is handed over explicitly: left out, the packages look into this process's own environment. */
export async function languageModel(chosen: ChosenModel, fetch: Fetch): Promise<Asked> {
  const { endpoint, id } = chosen;
  const before = known.get(chosen);
  if (before?.fetch === fetch) return before;
  const asked = await loaded(packagesFor(endpoint.dialect), async () => {
    const [sdk, named] = [await import("ai"), await modelsOf(endpoint, fetch)];
    return { fetch, sdk, model: named(id) };
  });
  known.set(chosen, asked);
  return asked;
}

/** What the service has no word for. */
function warningsOf({ label }: Endpoint, warnings: readonly Ai.CallWarning[]): string[] {
  return warnings.map((warning) => {
    if (!("feature" in warning)) return `${label}: ${warning.message}`;
    const details = warning.details === undefined ? "." : `: ${warning.details}`;
    return `${label} does not take ${warning.feature} as it is${details}`;
  });
}

/** For an answer in one piece: its warnings are printed, on the terminal of whoever runs this, before anybody is told of them. */
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
