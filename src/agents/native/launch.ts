/** Opens a session from its options, or builds the request that its first prompt would make. */
import { randomId } from "../../process/crypto.ts";
import { UsageCounter } from "../../protocols/usage.ts";
import type { AgentContext, AgentSession, ContextOptions, ModelContext, OpenOptions } from "../contract.ts";
import { toolFilter } from "../shared/in-process/session.ts";
import { turnContext } from "../shared/in-process/turn.ts";
import { refuseRules } from "../shared/tool-filter.ts";
import { conversationState } from "../../protocols/conversation-state.ts";
import { chooseModel } from "./endpoints.ts";
import { requestNow } from "./loop.ts";
import { openServers, type ForeignTools } from "./mcp.ts";
import { languageModel, requestOf, type ModelRequest } from "./model-call.ts";
import { installedVersion } from "./program.ts";
import { NativeSession } from "./session.ts";
import { ownTools, toolsFor } from "./tools.ts";
import { historyMessages, readTranscript, resultsFor, Transcript, userMessage } from "./transcript.ts";
import { Turn, type NativeContext } from "./turn.ts";

const agent = { id: "native", name: "Native" };

export async function openSession(host: AgentContext, options: OpenOptions): Promise<AgentSession> {
  refuseRules(agent, options.tools);
  const servers = await openServers(host, options);
  try {
    const context = await contextFor(host, options, servers);
    // Loaded now, so that the first prompt finds it warm, and a missing package fails at once.
    await languageModel(context.model, context.fetch);
    const session = new NativeSession(context, () => servers.close());
    const tools = toolsFor(firstTurn(context)).map(({ name }) => name);
    session.started({ model: context.model.name, tools, agentVersion: installedVersion("ai") });
    for (const message of servers.problems)
      context.outbox.push({ type: "notice", level: "warning", code: "divergence", message });
    options.signal?.throwIfAborted();
    return session;
  } catch (error) {
    await servers.close();
    throw error;
  }
}

export function firstTurn(context: NativeContext): Turn {
  const filter = toolFilter(context, context.options.state === undefined);
  return new Turn(context, new AbortController().signal, filter);
}

export async function contextFor(
  host: AgentContext,
  options: OpenOptions,
  servers: Pick<ForeignTools, "tools">,
): Promise<NativeContext> {
  const env = { ...host.env, ...options.env };
  return {
    ...turnContext(agent, host, options),
    env,
    fetch: host.fetch ?? globalThis.fetch,
    transcript: await transcriptFor(host, options),
    usage: new UsageCounter(),
    tools: [...ownTools, ...servers.tools],
    toolsFor,
    divergences: new Set(),
    model: chooseModel(options.model, env),
  };
}

async function transcriptFor({ env, redact }: AgentContext, options: OpenOptions): Promise<Transcript> {
  const { cwd, state, fork } = options;
  if (state === undefined)
    return new Transcript({ id: randomId(), cwd, env, redact, before: historyMessages(options.history) });
  const id = conversationState(agent).decode(state);
  const written = await readTranscript(env, id);
  const before = resultsFor(written, "It was not finished: the agent was ended in the middle of it.");
  if (fork === true) return new Transcript({ id: randomId(), cwd, env, redact, before: [...written, ...before] });
  return new Transcript({ id, cwd, env, redact, written, before });
}

/** The request that would be sent to the model now, without sending it. */
export async function modelContext(host: AgentContext, options: ContextOptions): Promise<ModelContext> {
  const servers = await openServers(host, options);
  try {
    const context = await contextFor(host, options, servers);
    const prompt = options.prompt && (await userMessage(options.prompt, options.cwd, host.limits.promptBytes));
    const messages = [...context.transcript.messages, ...(prompt ? [prompt] : [])];
    const request = await requestNow(firstTurn(context), { messages });
    const { instructions, tools, model } = request;
    const shown: ModelContext = {
      model: model.name,
      system: instructions,
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      messages,
    };
    return messages.length === 0 ? shown : { ...shown, request: await wireRequest(context, request) };
  } finally {
    await servers.close();
  }
}

/** The packages themselves write the request, and a `fetch` that sends nothing records it. */
async function wireRequest(
  context: NativeContext,
  request: ModelRequest,
): Promise<NonNullable<ModelContext["request"]>> {
  let seen: ModelContext["request"];
  const look: typeof fetch = async (address, init) => {
    const { url, body } = new Request(address, init);
    seen = { url, body: await new Response(body).json() };
    throw new Error("The request was seen.");
  };
  const { sdk, model } = await languageModel(context.model, look);
  await sdk.experimental_streamLanguageModelCall({ ...requestOf(sdk, request), model }).catch(() => {});
  if (seen === undefined) throw new Error("The request could not be written.");
  return seen;
}
