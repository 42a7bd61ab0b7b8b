/** From options to a conversation that takes prompts. */
import { randomUUID } from "node:crypto";
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import { openOrEnd } from "../shared/open-or-end.ts";
import { PrivateFiles } from "../shared/private-files.ts";
import type { Command } from "../shared/program.ts";
import { Hooks } from "./hooks.ts";
import { argumentsOf, environmentOf, mcpConfigOf } from "./launch.ts";
import type { Conversation, LaunchFiles } from "./launch.ts";
import { QwenSession } from "./session.ts";
import { machineDefaults, settingsWith } from "./settings.ts";
import { decodeState } from "./state.ts";

export async function openSession(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
): Promise<AgentSession> {
  const conversation = conversationOf(options);
  const files = new PrivateFiles("qwen");
  const hooks = await Hooks.open({ maxBytes: context.limits.lineBytes, resumed: options.state !== undefined });
  try {
    const written = await writeFiles(context, options, files, hooks.url);
    const child = await context.processes.launch({
      command: command.path,
      args: [...command.args, ...argumentsOf(options, conversation, written)],
      cwd: options.cwd,
      env: environmentOf(context.env, options.env, written),
      agent: "qwen",
      sessionId: options.sessionId,
      stdin: "pipe",
      beside: hooks,
    });
    const session = new QwenSession({ context, options, child, files, hooks });
    return await openOrEnd(session, child, options.signal);
  } catch (error) {
    hooks.close();
    await files.remove();
    throw error;
  }
}

/** An id of ours, so that the state is known before anything happens; a copy's it chooses itself, and says it first of all. */
function conversationOf({ state, fork }: OpenOptions): Conversation {
  return state === undefined ? { id: randomUUID() } : { resume: decodeState(state), fork: fork === true };
}

async function writeFiles(
  context: AgentContext,
  options: OpenOptions,
  files: PrivateFiles,
  hooksUrl: string,
): Promise<LaunchFiles> {
  const { systemPrompt, mcpServers = {} } = options;
  const machine = await machineDefaults({ ...context.env, ...options.env });
  return {
    settings: await files.write("settings.json", JSON.stringify(settingsWith(machine, { ...options, hooksUrl }))),
    systemPrompt:
      systemPrompt?.how === "replace" ? await files.write("system-prompt.md", systemPrompt.text) : undefined,
    mcpConfig:
      Object.keys(mcpServers).length === 0 ? undefined : await files.write("mcp.json", mcpConfigOf(mcpServers)),
  };
}
