/** From options to a conversation that takes prompts. */
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import { openOrEnd } from "../shared/open-or-end.ts";
import { PrivateFiles } from "../shared/private-files.ts";
import type { Command } from "../shared/program.ts";
import { startServer } from "./server.ts";
import { OpencodeSession } from "./session.ts";
import { decodeState } from "./state.ts";

export async function openSession(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
): Promise<AgentSession> {
  const resume = options.state === undefined ? undefined : decodeState(options.state);
  const files = new PrivateFiles("opencode");
  try {
    const server = await startServer(context, options, command, files);
    const session = new OpencodeSession({ context, options, server, files, resume });
    return await openOrEnd(session, server.child, options.signal);
  } catch (error) {
    await files.remove();
    throw error;
  }
}
