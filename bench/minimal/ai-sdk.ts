/** The AI SDK as it is, with what the agent of Reins's own would send: the same instructions, tools and earlier messages. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { jsonSchema, streamText, tool } from "ai";
import type { JSONSchema7, ModelMessage, ToolSet } from "ai";
import type { Reins } from "../../src/index.ts";
import type { MinimalClient } from "./client.ts";

export async function nativeClient(
  reins: Reins,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<MinimalClient> {
  const { model, system, tools } = await reins.context({ agent: "native", cwd });
  const named = createAnthropic({ baseURL: `${env["ANTHROPIC_BASE_URL"]}/v1`, apiKey: env["ANTHROPIC_API_KEY"]! });
  const toolSet: ToolSet = Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema as JSONSchema7) }),
    ]),
  );
  const asked = {
    model: named(model.slice(model.indexOf("/") + 1)),
    instructions: system,
    tools: toolSet,
    toolOrder: tools.map(({ name }) => name),
    providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
    maxRetries: 0,
  };
  const messages: ModelMessage[] = [];
  return {
    async turn(prompt) {
      messages.push({ role: "user", content: prompt });
      const answer = streamText({ ...asked, messages });
      for await (const part of answer.stream) if (part.type === "error") throw part.error;
      messages.push(...(await answer.response).messages);
    },
    close: async () => {},
  };
}
