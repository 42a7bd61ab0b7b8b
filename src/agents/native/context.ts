/** What would be sent to the model now, without sending it. */
import type { ModelMessage } from "ai";
import type { AgentContext, ContextOptions, ModelContext } from "../contract.ts";
import { languageModel } from "./language-model.ts";
import { requestNow } from "./loop.ts";
import { openServers } from "./mcp.ts";
import { deskFor, firstTurn } from "./open.ts";
import { requestOf } from "./request.ts";
import type { ModelRequest } from "./request.ts";
import { userMessage } from "./input.ts";
import type { Desk } from "./desk.ts";

export async function contextOf(context: AgentContext, options: ContextOptions): Promise<ModelContext> {
  const servers = await openServers(context, options);
  try {
    const desk = await deskFor(context, options, servers, () => {});
    const prompt = options.prompt && (await userMessage(options.prompt, options.cwd, context.limits.promptBytes));
    const messages: readonly ModelMessage[] = [...desk.transcript.messages, ...(prompt ? [prompt] : [])];
    const request = await requestNow(firstTurn(desk), { messages });
    const { instructions, tools, model } = request;
    const shown: ModelContext = {
      model: model.name,
      system: instructions,
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      messages,
    };
    return messages.length === 0 ? shown : { ...shown, request: await wireRequest(desk, request) };
  } finally {
    await servers.close();
  }
}

class Seen extends Error {}

/** The packages themselves write it, and a `fetch` that sends nothing looks at it. */
async function wireRequest(desk: Desk, request: ModelRequest): Promise<NonNullable<ModelContext["request"]>> {
  let seen: ModelContext["request"];
  const look: typeof fetch = async (address, init) => {
    const { url, body } = new Request(address, init);
    seen = { url, body: await new Response(body).json() };
    throw new Seen();
  };
  const { sdk, model } = await languageModel(desk.model, look);
  await sdk.experimental_streamLanguageModelCall({ ...requestOf(sdk, request), model }).catch(() => {});
  if (seen === undefined) throw new Error("The request could not be written.");
  return seen;
}
