/** Keys, models, and where things lie. There is nobody to sign in with: a key is a variable. */
import type { AboutFact, AgentContext, AgentManagement, ModelInfo, Verification } from "../contract.ts";
import { chooseModel, endpointsOf, setUpHelp } from "./endpoints.ts";
import type { Endpoint } from "./endpoints.ts";
import { serviceError } from "./failures.ts";
import { installedVersion } from "./program.ts";
import { sessionsFolder } from "./transcript.ts";
import { isReinsError, ReinsError, toReinsError } from "../../events/errors.ts";

export function management(context: AgentContext): AgentManagement {
  return {
    about: async () => about(context),
    models: () => models(context),
    verify: () => verify(context),
    instead: {
      login: setUpHelp,
      logout: "Unset the variable that holds the key.",
      update: "It comes with Reins: update Reins.",
      "mcp.list": "It has no settings of its own: hand servers over when a session is opened (`mcpServers`).",
      "mcp.enable": "Hand the server over when a session is opened (`mcpServers`).",
      "mcp.disable": "Leave the server out when a session is opened (`mcpServers`).",
      "mcp.login": "Put the server's key into the headers it is handed over with (`mcpServers`).",
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

/** None where nobody said which. */
function defaultModel(env: AgentContext["env"]): string[] {
  try {
    return [chooseModel(undefined, env).name];
  } catch (error) {
    if (isReinsError(error)) return [];
    throw error;
  }
}

/** Of every service that is set up; one that cannot be asked is left out unless it is the only one. */
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

/** Every key is tried; what counts is the one that would be used. */
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
    return { outcome: "works", message: `${label} takes what ${variable} says.` };
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

/** As many as a page can have; nobody has more. */
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

/** In the shape of the packages' own errors, so that one table reads both. */
function refused({ status, headers }: Response, responseBody: string): Error {
  const message = messageIn(responseBody) ?? `It answered with status ${status}.`;
  return Object.assign(new Error(message), {
    statusCode: status,
    responseBody,
    responseHeaders: Object.fromEntries(headers),
  });
}

function messageIn(body: string): string | undefined {
  const { message } = record(record(parsed(body))["error"]);
  return typeof message === "string" ? message : undefined;
}

function modelsIn(endpoint: Endpoint, body: string): ModelInfo[] {
  const { data, models } = record(parsed(body));
  const listed: readonly unknown[] = Array.isArray(data) ? data : Array.isArray(models) ? models : [];
  return listed.flatMap((item) => modelOf(endpoint, record(item)) ?? []);
}

type JsonObject = Readonly<Record<string, unknown>>;

function modelOf(endpoint: Endpoint, model: JsonObject): ModelInfo | undefined {
  const given = model["id"] ?? model["name"];
  if (typeof given !== "string" || given === "") return undefined;
  // Google lists models for other uses too.
  const uses = model["supportedGenerationMethods"];
  if (Array.isArray(uses) && !uses.includes("generateContent")) return undefined;
  const id = `${endpoint.name}/${given.replace(/^models\//, "")}`;
  const label = model["display_name"] ?? model["displayName"];
  const size = model["inputTokenLimit"] ?? model["max_input_tokens"] ?? model["context_length"];
  return {
    id,
    label: typeof label === "string" ? label : undefined,
    provider: endpoint.name,
    thinking: typeof model["thinking"] === "boolean" ? model["thinking"] : undefined,
    contextSize: typeof size === "number" && size > 0 ? size : undefined,
  };
}

function record(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? (value as JsonObject) : {};
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
