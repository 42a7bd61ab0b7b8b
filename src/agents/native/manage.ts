/** Keys, models and folders. There is no sign-in: a key is an environment variable. */
import type { AboutFact, AgentContext, AgentManagement, ModelInfo, Verification } from "../contract.ts";
import { chooseModel, endpointsOf, setUpHelp, type Endpoint } from "./endpoints.ts";
import { serviceError } from "./failures.ts";
import { installedVersion } from "./program.ts";
import { sessionsFolder } from "./transcript.ts";
import { isReinsError, ReinsError, toReinsError } from "../../events/errors.ts";
import { number, parseJson, record, records, text, type JsonObject } from "../../protocols/json.ts";

export function management(context: AgentContext): AgentManagement {
  return {
    about: async () => about(context),
    models: () => models(context),
    verify: () => verify(context),
    instead: {
      login: setUpHelp,
      logout: "Unset the variable that holds the key.",
      update: "It comes with Reins: update Reins.",
      "mcp.list": "It has no settings of its own: pass servers when you open a session (`mcpServers`).",
      "mcp.enable": "Pass the server when you open a session (`mcpServers`).",
      "mcp.disable": "Leave the server out when you open a session (`mcpServers`).",
      "mcp.login": "Put the server's key into its headers (`mcpServers`).",
    },
  };
}

function about({ env }: AgentContext): AboutFact[] {
  const services = endpointsOf(env).map(({ label, baseUrl, variable }) => ({
    label,
    value: `${new URL(baseUrl).origin}, by ${variable}`,
  }));
  return [
    ...services,
    ...defaultModel(env).map((name) => ({ label: "Model", value: name })),
    { label: "Conversations", value: sessionsFolder(env) },
    { label: "AI SDK", value: installedVersion("ai") ?? "not installed" },
  ];
}

function defaultModel(env: AgentContext["env"]): string[] {
  try {
    return [chooseModel(undefined, env).name];
  } catch (error) {
    if (isReinsError(error)) return [];
    throw error;
  }
}

/** Models of every configured service; a service that fails is left out unless it is the only one. */
async function models(context: AgentContext): Promise<readonly ModelInfo[]> {
  const [usual] = defaultModel(context.env);
  const endpoints = endpointsOf(context.env);
  const asked = await Promise.allSettled(endpoints.map((endpoint) => ask(context, endpoint)));
  const failed = asked.find((one) => one.status === "rejected");
  const found = asked.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  if (failed !== undefined && found.length === 0) throw toReinsError(failed.reason);
  return found.map((model) => (model.id === usual ? { ...model, default: true, current: true } : model));
}

function ask(context: AgentContext, endpoint: Endpoint): Promise<ModelInfo[]> {
  return listModels(endpoint, context.fetch ?? globalThis.fetch, context.deadlines.request);
}

/** Tries every key; the result is that of the key in use. */
async function verify(context: AgentContext): Promise<Verification> {
  const endpoints = endpointsOf(context.env);
  if (endpoints.length === 0) return { outcome: "no_key", message: `No key is set. ${setUpHelp}` };
  const [first, ...others] = await Promise.all(inOrder(context, endpoints).map((one) => tried(context, one)));
  const also = others.map(({ message }) => message);
  return { outcome: first!.outcome, message: [first!.message, ...also].join(" ") };
}

function inOrder({ env }: AgentContext, endpoints: readonly Endpoint[]): Endpoint[] {
  const [usual = ""] = defaultModel(env);
  const isUsual = ({ name }: Endpoint): boolean => usual.startsWith(`${name}/`);
  return endpoints.toSorted((a, b) => Number(isUsual(b)) - Number(isUsual(a)));
}

async function tried(context: AgentContext, endpoint: Endpoint): Promise<Verification> {
  const { label, variable } = endpoint;
  try {
    await ask(context, endpoint);
    return { outcome: "works", message: `${label} accepts the key in ${variable}.` };
  } catch (thrown) {
    const { code, message } = toReinsError(thrown);
    if (code === "not_authenticated")
      return { outcome: "refused", message: `${label} refuses ${variable}: ${message}` };
    return { outcome: "unreachable", message: `${label} could not be asked: ${message}` };
  }
}

export async function listModels(endpoint: Endpoint, fetch: typeof globalThis.fetch, ms: number): Promise<ModelInfo[]> {
  try {
    const response = await fetch(addressOf(endpoint), {
      headers: headersOf(endpoint),
      signal: AbortSignal.timeout(ms),
    });
    const body = await response.text();
    if (!response.ok) throw refused(response, body);
    return modelsIn(endpoint, body);
  } catch (thrown) {
    throw thrown instanceof ReinsError ? thrown : serviceError(thrown, endpoint);
  }
}

/** A page of the largest size holds all models. */
function addressOf({ dialect, baseUrl }: Endpoint): string {
  const query = { anthropic: "?limit=1000", google: "?pageSize=1000", compatible: "" }[dialect];
  return `${baseUrl}/models${query}`;
}

function headersOf({ dialect, key }: Endpoint): Record<string, string> {
  if (key === undefined) return {};
  switch (dialect) {
    case "anthropic":
      return { "x-api-key": key, "anthropic-version": "2023-06-01" };
    case "google":
      return { "x-goog-api-key": key };
    case "compatible":
      return { authorization: `Bearer ${key}` };
  }
}

/** In the format of the packages' own errors, so that one classifier reads both. */
function refused({ status, headers }: Response, responseBody: string): Error {
  const message = messageIn(responseBody) ?? `It answered with status ${status}.`;
  return Object.assign(new Error(message), {
    statusCode: status,
    responseBody,
    responseHeaders: Object.fromEntries(headers),
  });
}

function messageIn(body: string): string | undefined {
  return text(record(record(parseJson(body))["error"])["message"]);
}

function modelsIn(endpoint: Endpoint, body: string): ModelInfo[] {
  const { data, models } = record(parseJson(body));
  return records(data ?? models).flatMap((model) => modelOf(endpoint, model) ?? []);
}

function modelOf(endpoint: Endpoint, model: JsonObject): ModelInfo | undefined {
  const given = text(model["id"] ?? model["name"]);
  if (given === undefined) return undefined;
  // Google lists models for other uses too.
  const uses = model["supportedGenerationMethods"];
  if (Array.isArray(uses) && !uses.includes("generateContent")) return undefined;
  const id = `${endpoint.name}/${given.replace(/^models\//, "")}`;
  const size = number(model["inputTokenLimit"] ?? model["max_input_tokens"] ?? model["context_length"]);
  return {
    id,
    label: text(model["display_name"] ?? model["displayName"]),
    provider: endpoint.name,
    thinking: typeof model["thinking"] === "boolean" ? model["thinking"] : undefined,
    contextSize: size !== undefined && size > 0 ? size : undefined,
  };
}
