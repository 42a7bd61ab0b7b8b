/** The models a service lists, and whether it takes the key: one question that asks no model. */
import { ReinsError } from "../../events/errors.ts";
import type { ModelInfo } from "../contract.ts";
import type { Endpoint } from "./endpoints.ts";
import { serviceError } from "./errors.ts";

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

type Wire = Readonly<Record<string, unknown>>;

function modelOf(endpoint: Endpoint, model: Wire): ModelInfo | undefined {
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

function record(value: unknown): Wire {
  return typeof value === "object" && value !== null ? (value as Wire) : {};
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
