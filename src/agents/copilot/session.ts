/** The conversation over ACP. Which tools there are is said when the program starts, so into and out of `read` it starts anew. */
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { decodeState, openAcp } from "../../protocols/acp/index.ts";
import type { AcpSession } from "../../protocols/acp/index.ts";
import { goneOf } from "../../protocols/process-exit.ts";
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import { RestartingSession } from "../shared/acp/restart.ts";
import type { RestartingOptions } from "../shared/acp/restart.ts";
import { endedOnAbort } from "../shared/program/open-or-stop.ts";
import { PrivateFiles } from "../shared/program/private-files.ts";
import { requireVersion, tooOld } from "../shared/program/program.ts";
import type { Command } from "../shared/program/program.ts";
import { failures } from "./failures.ts";
import { acpArguments, mcpConfigOf } from "./launch.ts";
import { environmentOf, program } from "./program.ts";
import type { LaunchFiles } from "./program.ts";
import { quirksWith } from "./translate.ts";

export function copilotSession(
  first: AcpSession,
  start: RestartingOptions["start"],
  options: OpenOptions,
  files: PrivateFiles,
): RestartingSession {
  return new RestartingSession({
    program,
    first,
    start,
    options,
    restarts: (from, to) => (from === "read") !== (to === "read"),
    refuse: refuseLooseCommand,
    ended: () => files.remove(),
  });
}

/** Commands of its own that would let it do more than the mode of the session says. */
const looseCommand = /^\s*(\/(?:allow-all|yolo|permissions|autopilot))\b/;

function refuseLooseCommand(text: string): void {
  const command = looseCommand.exec(text)?.[1];
  if (command === undefined) return;
  throw new ReinsError("invalid_input", `Reins cannot hold ${program.name}'s tools with its command ${command}.`, {
    agent: program.id,
    help: "Choose the mode of the session instead.",
  });
}

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
    const first = await start(options.mode, options.model, conversation);
    return copilotSession(first, start, options, files);
  } catch (error) {
    await files.remove();
    const env = environmentOf(context.env);
    throw speaksNoAcp(error) ? await tooOld(program, command, context, env, error) : error;
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
  const checkVersion = (version: string | undefined) => requireVersion(program, version);
  return endedOnAbort(child, signal, () =>
    openAcp({ child, name, agent, quirks, failures, deadlines, limits, cwd, mode, model, raw, resume, checkVersion }),
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
