/** From options to a conversation that takes prompts: over ACP, or one process a prompt where a version does not speak it. */
import { decodeState, openAcp } from "../../drivers/acp/index.ts";
import type { AcpSession } from "../../drivers/acp/index.ts";
import { goneOf } from "../../drivers/shared/gone.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import { endedOnAbort } from "../shared/open-or-end.ts";
import { PrivateFiles } from "../shared/private-files.ts";
import type { Command } from "../shared/program.ts";
import { acpArguments, environmentOf, mcpConfigOf } from "./launch.ts";
import type { LaunchFiles } from "./launch.ts";
import { OneShotSession } from "./one-shot.ts";
import { program } from "./program.ts";
import { quirksWith } from "./quirks.ts";
import { copilotSession } from "./session.ts";

export async function openSession(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
): Promise<AgentSession> {
  const conversation = options.state === undefined ? undefined : decodeState(program.id, program.name, options.state);
  const files = new PrivateFiles(program.id);
  try {
    const written = await writeFiles(options, files);
    const start = (mode: Mode, model: string | undefined, resume: string | undefined) =>
      startAcp(context, { ...options, mode, model }, command, written, resume);
    try {
      const first = await start(options.mode, options.model, conversation);
      return copilotSession(first, start, options, files);
    } catch (error) {
      if (!speaksNoAcp(error)) throw error;
      return new OneShotSession({ context, options, command, files, written, conversation });
    }
  } catch (error) {
    await files.remove();
    throw error;
  }
}

async function startAcp(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
  files: LaunchFiles,
  resume: string | undefined,
): Promise<AcpSession> {
  const { deadlines, limits } = context;
  const { cwd, mode, model, raw, signal, mcpServers = {}, directories = [] } = options;
  const child = await context.processes.launch({
    command: command.path,
    args: [...command.args, ...acpArguments(options, files)],
    cwd,
    env: environmentOf(context.env, options.env, files),
    agent: program.id,
    sessionId: options.sessionId,
    stdin: "pipe",
  });
  const quirks = quirksWith(Object.keys(mcpServers), directories);
  const { id: agent, name } = program;
  return endedOnAbort(child, signal, () =>
    openAcp({ child, name, agent, quirks, deadlines, limits, cwd, mode, model, raw, resume }),
  );
}

/** What a version from before ACP says to the argument. */
function speaksNoAcp(error: unknown): boolean {
  return /(?:unknown option|unexpected argument) '--acp'/.test(goneOf(error)?.stderrTail ?? "");
}

async function writeFiles({ systemPrompt, mcpServers }: OpenOptions, files: PrivateFiles): Promise<LaunchFiles> {
  const servers = Object.keys(mcpServers ?? {}).length === 0 ? undefined : mcpServers;
  return {
    // It cannot replace its own instructions: that it was asked to is said by the core.
    instructions:
      systemPrompt?.how === "append" ? await files.write("reins.instructions.md", systemPrompt.text) : undefined,
    mcpConfig: servers === undefined ? undefined : await files.write("mcp.json", mcpConfigOf(servers)),
  };
}
