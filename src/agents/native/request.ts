/** What is sent to a model: the instructions, the tools and the conversation. `reins context` shows the same. */
import type { ModelMessage, Tool, ToolSet } from "ai";
import type { ChosenModel, Environment } from "./endpoints.ts";
import type { Sdk } from "./language-model.ts";
import { messageFor } from "./messages.ts";
import type { ToolDefinition } from "./tools/definition.ts";

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
