/** A model to be asked, over the dialect of its service. */
import type * as Ai from "ai";
import type { ChosenModel, Endpoint } from "./endpoints.ts";
import { loaded, packagesFor } from "./packages.ts";

export type Fetch = typeof globalThis.fetch;
export type Sdk = typeof Ai;

export interface Asked {
  readonly sdk: Sdk;
  readonly model: Ai.LanguageModel;
}

/**
 * Everything is handed over explicitly: left out, the packages look into this process's own environment. What the service has no
 * word for goes to `warned`; the packages would print it on the terminal of whoever runs this.
 */
export async function languageModel(
  { endpoint, id }: ChosenModel,
  fetch: Fetch,
  warned: (sentence: string) => void = () => {},
): Promise<Asked> {
  const { sdk, named } = await loaded(packagesFor(endpoint.dialect), async () => ({
    sdk: await import("ai"),
    named: await modelsOf(endpoint, fetch),
  }));
  const transform = (part: StreamPart, out: TransformStreamDefaultController<StreamPart>): void => {
    if (part.type !== "stream-start") return out.enqueue(part);
    for (const warning of part.warnings) warned(sentenceOf(endpoint, warning));
    out.enqueue({ ...part, warnings: [] });
  };
  const model = sdk.wrapLanguageModel({
    model: named(id),
    middleware: {
      specificationVersion: "v4",
      wrapStream: async ({ doStream }) => {
        const { stream, ...rest } = await doStream();
        return { ...rest, stream: stream.pipeThrough(new TransformStream({ transform })) };
      },
      wrapGenerate: async ({ doGenerate }) => ({ ...(await doGenerate()), warnings: [] }),
    },
  });
  return { sdk, model };
}

type Warning = Extract<StreamPart, { type: "stream-start" }>["warnings"][number];

function sentenceOf({ label }: Endpoint, warning: Warning): string {
  if (!("feature" in warning)) return `${label}: ${warning.message}`;
  const details = warning.details === undefined ? "." : `: ${warning.details}`;
  return `${label} does not take ${warning.feature} as it is${details}`;
}

type Middleware = Parameters<Sdk["wrapLanguageModel"]>[0]["middleware"];
type WrapStream = NonNullable<Exclude<Middleware, readonly unknown[]>["wrapStream"]>;
type StreamPart = Awaited<ReturnType<WrapStream>>["stream"] extends ReadableStream<infer Part> ? Part : never;
type Wrappable = Parameters<Sdk["wrapLanguageModel"]>[0]["model"];

async function modelsOf(endpoint: Endpoint, fetch: Fetch): Promise<(id: string) => Wrappable> {
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
