/** The session over ACP. The list of tools is an argument of the program, so it restarts into and out of mode `read`. */
import { ReinsError } from "../../events/errors.ts";
import { goneOf } from "../../protocols/process-exit.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { openRestarting, type RestartingSession } from "../shared/acp/restart.ts";
import { startAcp } from "../shared/acp/start.ts";
import { PrivateFiles } from "../shared/program/private-files.ts";
import { tooOld, type Command } from "../shared/program/program.ts";
import { failures } from "./failures.ts";
import { acpArguments, mcpConfigOf } from "./launch.ts";
import { environmentOf, program, type LaunchFiles } from "./program.ts";
import { quirksWith } from "./translate.ts";

/** Commands of Copilot that would let it do more than the mode of the session allows. */
const looseCommand = /^\s*(\/(?:allow-all|yolo|permissions|autopilot))\b/;

function refuseLooseCommand(text: string): void {
  const command = looseCommand.exec(text)?.[1];
  if (command === undefined) return;
  throw new ReinsError("invalid_input", `Reins cannot control ${program.name}'s tools with its command ${command}.`, {
    agent: program.id,
    help: "Choose the mode of the session instead.",
  });
}

export async function openSession(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
): Promise<RestartingSession> {
  const { mcpServers = {}, directories = [] } = options;
  const files = new PrivateFiles(program.id);
  const ended = () => files.remove();
  try {
    const written = await writeFiles(options, files);
    const env = environmentOf(context.env, options.env, written);
    const quirks = quirksWith(Object.keys(mcpServers), directories);
    const start = { program, command, env, quirks, failures };
    // Servers are in a file, and folders are allowed one by one.
    const opened = { ...options, mcpServers: undefined, directories: undefined };
    return await openRestarting(
      program,
      options,
      (mode, model, resume) => {
        const args = acpArguments({ ...options, mode }, written);
        return startAcp(context, { ...opened, mode, model }, { ...start, args, resume });
      },
      { refuse: refuseLooseCommand, ended },
    );
  } catch (error) {
    await ended();
    const env = environmentOf(context.env);
    throw speaksNoAcp(error) ? await tooOld(program, command, context, env, error) : error;
  }
}

/** True for the error of a version without ACP. */
function speaksNoAcp(error: unknown): boolean {
  return /(?:unknown option|unexpected argument) '--acp'/.test(goneOf(error)?.stderrTail ?? "");
}

async function writeFiles({ systemPrompt, mcpServers }: OpenOptions, files: PrivateFiles): Promise<LaunchFiles> {
  const servers = Object.keys(mcpServers ?? {}).length === 0 ? undefined : mcpServers;
  return {
    // Copilot cannot replace its own instructions; the core reports that.
    instructions:
      systemPrompt?.how === "append" ? await files.write("reins.instructions.md", systemPrompt.text) : undefined,
    mcpConfig: servers === undefined ? undefined : await files.write("mcp.json", mcpConfigOf(servers)),
  };
}
