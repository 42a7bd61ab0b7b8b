/** A model to be asked, over the dialect of its service. */
import type * as Ai from "ai";
import type { ChosenModel, Endpoint } from "./endpoints.ts";
import { loaded, packagesFor } from "./packages.ts";

export type Fetch = typeof globalThis.fetch;
export type Sdk = typeof Ai;

export interface Asked {
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
export function warningsOf({ label }: Endpoint, warnings: readonly Ai.CallWarning[]): string[] {
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
