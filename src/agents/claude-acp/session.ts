/** From options to a conversation that takes prompts. */
import type { Mode } from "../../events/modes.ts";
import { decodeState, openAcp } from "../../protocols/acp/index.ts";
import type { AcpSession } from "../../protocols/acp/index.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { RestartingSession } from "../shared/acp/restart.ts";
import { endedOnAbort } from "../shared/program/open-or-stop.ts";
import { requireVersion } from "../shared/program/program.ts";
import type { Command } from "../shared/program/program.ts";
import { failures } from "./failures.ts";
import { environmentOf } from "./launch.ts";
import { program } from "./program.ts";
import { quirksWith } from "./options.ts";

export async function openSession(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
): Promise<RestartingSession> {
  const conversation = options.state === undefined ? undefined : decodeState(program.id, program.name, options.state);
  const start = (mode: Mode, model: string | undefined, resume: string | undefined) =>
    startAcp(context, { ...options, mode, model }, command, resume);
  const first = await start(options.mode, options.model, conversation);
  const restarts = (from: Mode, to: Mode) => (from === "read") !== (to === "read");
  return new RestartingSession({ program, first, start, options, restarts });
}

async function startAcp(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
  resume: string | undefined,
): Promise<AcpSession> {
  const { deadlines, limits } = context;
  const child = await context.processes.launch({
    command: command.path,
    args: [...command.args, ...(options.extraArgs ?? [])],
    cwd: options.cwd,
    env: environmentOf(context.env, options.env),
    agent: program.id,
    sessionId: options.sessionId,
    stdin: "pipe",
  });
  const { id: agent, name } = program;
  const checkVersion = (version: string | undefined) => requireVersion(program, version);
  return endedOnAbort(child, options.signal, () =>
    openAcp({
      ...options,
      child,
      name,
      agent,
      quirks: quirksWith(options),
      failures,
      deadlines,
      limits,
      resume,
      checkVersion,
    }),
  );
}
