/** From options to a conversation that takes prompts. */
import { randomId } from "../../process/crypto.ts";
import type { ModelMessage } from "ai";
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import { Outbox } from "../shared/outbox.ts";
import { refuseRules } from "../shared/refuse-rules.ts";
import { Background } from "./background.ts";
import type { Desk } from "./desk.ts";
import { chooseModel } from "./endpoints.ts";
import { languageModel } from "./language-model.ts";
import { openServers } from "./mcp.ts";
import type { ForeignTools } from "./mcp.ts";
import { historyMessages, resultsFor } from "./messages.ts";
import { installedVersion } from "./packages.ts";
import { NativeSession } from "./session.ts";
import { decodeState } from "./state.ts";
import { ownTools, toolsFor } from "./tools.ts";
import { readTranscript, Transcript } from "./transcript.ts";
import { Turn } from "./turn.ts";
import { Usage } from "./usage.ts";

export async function openSession(context: AgentContext, options: OpenOptions): Promise<AgentSession> {
  refuseRules({ id: "native", name: "Native" }, options.tools);
  const servers = await openServers(context, options);
  try {
    const session: NativeSession = await opened(context, options, servers, () => session.reported());
    options.signal?.throwIfAborted();
    return session;
  } catch (error) {
    await servers.close();
    throw error;
  }
}

async function opened(
  context: AgentContext,
  options: OpenOptions,
  servers: ForeignTools,
  reported: () => void,
): Promise<NativeSession> {
  const desk = await deskFor(context, options, servers, reported);
  // Loaded now, so that the first prompt finds it warm, and what is missing is said at once.
  await languageModel(desk.model, desk.fetch);
  const fresh = options.state === undefined;
  const session = new NativeSession(desk, { fresh, end: () => servers.close().finally(() => desk.transcript.close()) });
  desk.outbox.push({
    type: "session.started",
    model: desk.model.name,
    mode: options.mode,
    cwd: options.cwd,
    tools: toolsFor(firstTurn(desk)).map(({ name }) => name),
    resumed: !fresh,
    agentVersion: installedVersion("ai"),
    state: session.state,
  });
  for (const message of servers.problems)
    desk.outbox.push({ type: "notice", level: "warning", code: "divergence", message });
  return session;
}

/** What a turn would be that began now. */
export function firstTurn(desk: Desk): Turn {
  const { tools, state } = desk.options;
  const filter = (state === undefined ? tools?.first : undefined) ?? tools ?? {};
  return new Turn(desk, new AbortController().signal, filter);
}

export async function deskFor(
  context: AgentContext,
  options: OpenOptions,
  servers: Pick<ForeignTools, "tools">,
  reported: () => void,
): Promise<Desk> {
  const env = { ...context.env, ...options.env };
  return {
    context,
    options,
    env,
    fetch: context.fetch ?? globalThis.fetch,
    outbox: new Outbox(),
    transcript: await transcriptFor(context, options),
    usage: new Usage(),
    background: new Background(reported),
    tools: [...ownTools, ...servers.tools],
    toolsFor,
    waiting: new Map(),
    allowedAlways: new Set(),
    divergences: new Set(),
    mode: options.mode,
    model: chooseModel(options.model, env),
  };
}

async function transcriptFor({ env, redact }: AgentContext, options: OpenOptions): Promise<Transcript> {
  const { cwd, state, fork } = options;
  if (state === undefined)
    return new Transcript({ id: randomId(), cwd, env, redact, before: historyMessages(options.history) });
  const id = decodeState(state);
  const written = await readTranscript(env, id);
  const before: ModelMessage[] = resultsFor(written, "It was not finished: the agent was ended in the middle of it.");
  if (fork === true) return new Transcript({ id: randomId(), cwd, env, redact, before: [...written, ...before] });
  return new Transcript({ id, cwd, env, redact, written, before });
}
