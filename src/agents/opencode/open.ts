/** From options to a conversation that takes prompts. */
import { toReinsError } from "../../events/errors.ts";
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import { openOrEnd } from "../shared/open-or-end.ts";
import { PrivateFiles } from "../shared/private-files.ts";
import type { Command } from "../shared/program.ts";
import { isItsOwn } from "./errors-start.ts";
import { startServer } from "./server.ts";
import { OpencodeSession } from "./session.ts";
import { decodeState } from "./state.ts";

/**
 * A server that cannot be used for a reason of its own is ended, and another is started, once. Nothing was prompted yet, so nothing is done
 * twice; at most a conversation in which nothing was said, or a copy that nobody uses, stays.
 */
export async function openSession(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
): Promise<AgentSession> {
  try {
    return await openOnce(context, options, command);
  } catch (error) {
    if (options.signal?.aborted === true || !isItsOwn(error)) throw error;
    return openOnce(context, options, command, toReinsError(error).message);
  }
}

/** Where it throws, nothing of its server is left. */
async function openOnce(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
  failedBefore?: string,
): Promise<AgentSession> {
  const resume = options.state === undefined ? undefined : decodeState(options.state);
  const files = new PrivateFiles("opencode");
  try {
    const server = await startServer(context, options, command, files);
    const session = new OpencodeSession({ context, options, server, files, resume, failedBefore });
    return await openOrEnd(session, server.child, options.signal);
  } catch (error) {
    await files.remove();
    throw error;
  }
}
