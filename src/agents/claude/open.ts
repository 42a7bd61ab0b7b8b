/** From options to a conversation that takes prompts. */
import { randomUUID } from "node:crypto";
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import { openOrEnd } from "../shared/open-or-end.ts";
import { PrivateFiles } from "../shared/private-files.ts";
import type { Command } from "../shared/program.ts";
import { argumentsOf, environmentOf, mcpConfigOf } from "./launch.ts";
import type { LaunchFiles } from "./launch.ts";
import { ClaudeSession } from "./session.ts";
import { takeSettings } from "./settings.ts";
import { decodeState } from "./state.ts";

export async function openSession(context: AgentContext, given: OpenOptions, command: Command): Promise<AgentSession> {
  const resume = given.state === undefined ? undefined : decodeState(given.state);
  // A conversation that goes on had its first prompt already.
  const options =
    resume === undefined || given.tools === undefined
      ? given
      : { ...given, tools: { ...given.tools, first: undefined } };
  // An id of ours, so that the state is known before anything happens.
  const conversation = resume === undefined || options.fork === true ? randomUUID() : resume;
  const files = new PrivateFiles("claude");
  try {
    const { rest, settings } = await takeSettings(options.extraArgs ?? [], options.cwd);
    const written = await writeFiles(options, settings, files);
    const args = argumentsOf({ ...options, extraArgs: rest }, { id: conversation, resume }, written);
    const child = await context.processes.launch({
      command: command.path,
      args: [...command.args, ...args],
      cwd: options.cwd,
      env: environmentOf(context.env, options.env),
      agent: "claude",
      sessionId: options.sessionId,
      stdin: "pipe",
    });
    const session = new ClaudeSession({ context, options, child, files, conversation });
    return await openOrEnd(session, child, options.signal);
  } catch (error) {
    await files.remove();
    throw error;
  }
}

async function writeFiles(
  { systemPrompt, mcpServers }: OpenOptions,
  settings: string | undefined,
  files: PrivateFiles,
): Promise<LaunchFiles> {
  return {
    settings: settings === undefined ? undefined : await files.write("settings.json", settings),
    systemPrompt: systemPrompt === undefined ? undefined : await files.write("system-prompt.md", systemPrompt.text),
    mcpConfig:
      Object.keys(mcpServers ?? {}).length === 0 ? undefined : await files.write("mcp.json", mcpConfigOf(mcpServers!)),
  };
}
