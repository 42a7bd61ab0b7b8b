/** Signing in and out, its models, its MCP servers. */
import type { AgentContext, AgentManagement } from "../contract.ts";
import { commandsOf } from "../shared/program-commands.ts";
import { program } from "./program.ts";

export function management(context: AgentContext): AgentManagement {
  const command = commandsOf(program, context);
  return {
    login: async () => command("login"),
    logout: async () => command("logout"),
    update: async () => command("update"),
  };
}
