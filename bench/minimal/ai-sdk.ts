/** The AI SDK used directly, with the request that Reins's own agent would send: the same instructions, tools and earlier messages. */
import { createAnthropic } from "@ai-sdk/anthropic";
import {
  experimental_streamLanguageModelCall as streamCall,
  jsonSchema,
  streamText,
  tool,
  type JSONSchema7,
  type ModelMessage,
  type ToolSet,
} from "ai";
import type { Reins } from "../../src/index.ts";
import type { MinimalClient } from "./client.ts";

interface NativePlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Uses `streamText`, as most applications do. */
export function nativeClient(reins: Reins, place: NativePlace): Promise<MinimalClient> {
  return client(reins, place, async (request) => {
    const answer = streamText({ ...request, maxRetries: 0 });
    for await (const part of answer.stream) if (part.type === "error") throw part.error;
    return (await answer.response).messages;
  });
}

/** Uses the single model call below `streamText`, as Reins's own agent does. The client has to assemble the message itself. */
export function nativeCallClient(reins: Reins, place: NativePlace): Promise<MinimalClient> {
  return client(reins, place, async (request) => {
    const { stream } = await streamCall(request);
    let text = "";
    for await (const part of stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "text-delta") text += part.text;
    }
    return [{ role: "assistant", content: [{ type: "text", text }] }];
  });
}

type Request = Awaited<ReturnType<typeof requestFor>> & { messages: ModelMessage[] };

async function client(
  reins: Reins,
  place: NativePlace,
  answered: (request: Request) => Promise<readonly ModelMessage[]>,
): Promise<MinimalClient> {
  const asked = await requestFor(reins, place);
  const messages: ModelMessage[] = [];
  return {
    async turn(prompt) {
      messages.push({ role: "user", content: prompt });
      messages.push(...(await answered({ ...asked, messages })));
    },
    close: async () => {},
  };
}

async function requestFor(reins: Reins, { cwd, env }: NativePlace) {
  const { model, system, tools } = await reins.context({ agent: "native", cwd });
  const named = createAnthropic({ baseURL: `${env["ANTHROPIC_BASE_URL"]}/v1`, apiKey: env["ANTHROPIC_API_KEY"]! });
  const toolSet: ToolSet = Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema as JSONSchema7) }),
    ]),
  );
  return {
    model: named(model.slice(model.indexOf("/") + 1)),
    instructions: system,
    tools: toolSet,
    toolOrder: tools.map(({ name }) => name),
    providerOptions: { anthropic: { cacheControl: { type: "ephemeral" as const } } },
  };
}
