/** From options to a conversation with one process a prompt (`agent -p`). */
import { ReinsError } from "../../../events/errors.ts";
import type { AgentContext, AgentSession, OpenOptions } from "../../contract.ts";
import type { Command } from "../../shared/program.ts";

export function openPrint(_context: AgentContext, _options: OpenOptions, _command: Command): Promise<AgentSession> {
  return Promise.reject(new ReinsError("unsupported", "Cursor's print channel is not yet built."));
}
