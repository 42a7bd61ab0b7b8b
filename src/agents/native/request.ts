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

type StreamOptions = Parameters<Sdk["streamText"]>[0];

export function requestOf(
  sdk: Sdk,
  request: ModelRequest,
): Omit<StreamOptions, "model" | "prompt"> & { messages: ModelMessage[] } {
  const { model, instructions, tools } = request;
  const service = model.endpoint.dialect === "compatible" ? model.endpoint.name : model.endpoint.dialect;
  const toolSet: ToolSet = Object.fromEntries(tools.map((tool) => [tool.name, offered(sdk, tool)]));
  return {
    instructions,
    messages: request.messages.flatMap((message) => messageFor(service, message) ?? []),
    // Without this they are sorted by name, and a server's tools would stand between our own.
    ...(tools.length === 0 ? {} : { tools: toolSet, toolOrder: tools.map(({ name }) => name) }),
    ...thinking(request.env),
    // The beginning of a conversation is the same in every request: Anthropic keeps it where it is asked to, the others by themselves.
    ...(service === "anthropic" ? { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } } : {}),
  };
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

/** As the service does by itself, unless somebody chose. */
function thinking(env: Environment): { reasoning?: (typeof efforts)[number] } {
  const effort = efforts.find((word) => word === env["REINS_NATIVE_THINKING"]);
  return effort === undefined ? {} : { reasoning: effort };
}
