import { openAcp, type AcpOptions, type AcpSession } from "../../../protocols/acp/index.ts";
import type { AgentContext, OpenOptions } from "../../contract.ts";
import { endedOnAbort } from "../program/open-or-stop.ts";
import { requireVersion, type Command, type Program } from "../program/program.ts";

export interface AcpStart extends Pick<AcpOptions, "quirks" | "failures" | "resume" | "divergences"> {
  readonly program: Program;
  readonly command: Command;
  /** Arguments after those of the command. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Called when the process has ended, before `close` resolves. */
  readonly cleanUp?: () => Promise<void>;
}

/** Starts a program that speaks ACP and creates or resumes a session. Aborting `options.signal` stops the program. */
export async function startAcp(context: AgentContext, options: OpenOptions, start: AcpStart): Promise<AcpSession> {
  const { deadlines, limits } = context;
  const { program, command, args, env, cleanUp, ...acp } = start;
  const { id: agent, name } = program;
  const child = await context.processes.launch({
    command: command.path,
    args: [...command.args, ...args],
    cwd: options.cwd,
    env,
    agent,
    sessionId: options.sessionId,
    stdin: "pipe",
  });
  if (cleanUp !== undefined) void child.exited.then(cleanUp);
  const checkVersion = (version: string | undefined) => requireVersion(program, version);
  return endedOnAbort(child, options.signal, () =>
    openAcp({ ...options, ...acp, child, name, agent, deadlines, limits, checkVersion, ended: cleanUp }),
  );
}
