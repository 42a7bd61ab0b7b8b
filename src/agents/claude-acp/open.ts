/** From options to a conversation that takes prompts. */
import { decodeState, openAcp } from "../../drivers/acp/index.ts";
import type { AcpSession } from "../../drivers/acp/index.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { endedOnAbort } from "../shared/open-or-end.ts";
import type { Command } from "../shared/program.ts";
import { RestartingSession } from "../shared/restarting-session.ts";
import { environmentOf } from "./launch.ts";
import { program } from "./program.ts";
import { quirksWith } from "./quirks.ts";

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
  return endedOnAbort(child, options.signal, () =>
    openAcp({ ...options, child, name, agent, quirks: quirksWith(options), deadlines, limits, resume }),
  );
}
