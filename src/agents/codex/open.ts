/** From options to a conversation that takes prompts. */
import { isReinsError } from "../../events/errors.ts";
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import { openOrEnd } from "../shared/open-or-end.ts";
import type { Command } from "../shared/program.ts";
import { OneShotSession } from "./one-shot-session.ts";
import { keyArguments } from "./key-provider.ts";
import { environmentOf, serverArguments } from "./launch.ts";
import { program } from "./program.ts";
import { CodexSession } from "./session.ts";
import { decodeState } from "./state.ts";

export async function openSession(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
): Promise<AgentSession> {
  const resume = options.state === undefined ? undefined : decodeState(options.state);
  const env = await environmentOf(context.env, options.env);
  const args = serverArguments(options.extraArgs);
  const key = await keyArguments(context, command, env);
  const child = await context.processes.launch({
    command: command.path,
    args: [...command.args, ...args, ...key],
    cwd: options.cwd,
    env,
    agent: program.id,
    sessionId: options.sessionId,
    stdin: "pipe",
  });
  const session = new CodexSession({ context, options, child, resume });
  try {
    return await openOrEnd(session, child, options.signal);
  } catch (error) {
    if (isReinsError(error) && error.code === "version_unsupported")
      return new OneShotSession({ context, options, command, env, resume });
    throw error;
  }
}
