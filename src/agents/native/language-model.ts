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

/** Everything is handed over explicitly: left out, the packages look into this process's own environment. */
export async function languageModel({ endpoint, id }: ChosenModel, fetch: Fetch): Promise<Asked> {
  const { sdk, named } = await loaded(packagesFor(endpoint.dialect), async () => ({
    sdk: await import("ai"),
    named: await modelsOf(endpoint, fetch),
  }));
  const model = sdk.wrapLanguageModel({
    model: named(id),
    middleware: {
      specificationVersion: "v4",
      // What the service has no word for would be printed on the terminal of whoever runs this.
      wrapStream: async ({ doStream }) => {
        const { stream, ...rest } = await doStream();
        const quiet = new TransformStream({
          transform: (part: StreamPart, out: TransformStreamDefaultController<StreamPart>) =>
            out.enqueue(part.type === "stream-start" ? { ...part, warnings: [] } : part),
        });
        return { ...rest, stream: stream.pipeThrough(quiet) };
      },
    },
  });
  return { sdk, model };
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
