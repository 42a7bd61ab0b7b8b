import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentContext, AgentManagement } from "../contract.ts";
import { commandsOf } from "../shared/program/program-commands.ts";
import { program } from "./program.ts";

const noServers = "It has no MCP servers; use another agent for them.";

export function management(context: AgentContext): AgentManagement {
  const command = commandsOf(program, context);
  const home = context.env["HOME"] || homedir();
  return {
    interface: async () => command(),
    update: async () => command("--upgrade"),
    about: async () => [
      { label: "protocol", value: "its screen, in a terminal of its own" },
      { label: "verified", value: "against a stand-in, not on the real program" },
      { label: "settings", value: join(home, ".aider.conf.yml") },
      { label: "its rules", value: context.env["REINS_AIDER_RULES"] || "those of Reins" },
    ],
    instead: {
      login: "Set the key of your model's service, such as ANTHROPIC_API_KEY, or write it into .aider.conf.yml.",
      logout: "Remove the key from your environment and from .aider.conf.yml.",
      models: "Run `aider --list-models <part of a name>`.",
      verify: "Send a short prompt: it has no command that tests a key.",
      ...Object.fromEntries(
        (["mcp.list", "mcp.enable", "mcp.disable", "mcp.login"] as const).map((action) => [action, noServers]),
      ),
      history: "It keeps one conversation per folder, in .aider.chat.history.md.",
    },
  };
}
