/** From options to a conversation over ACP (`agent acp`). */
import { ReinsError } from "../../../events/errors.ts";
import type { AgentContext, AgentSession, OpenOptions } from "../../contract.ts";
import type { Command } from "../../shared/program.ts";

export function openOverAcp(_context: AgentContext, _options: OpenOptions, _command: Command): Promise<AgentSession> {
  return Promise.reject(new ReinsError("unsupported", "Cursor over ACP is not yet built."));
}
