/** Sign-in and models; Claude Code's own program does everything else. */
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentContext, AgentManagement, ModelInfo } from "../contract.ts";
import { listedModels } from "../shared/acp/restart.ts";
import { commandsOf } from "../shared/program/program-commands.ts";
import { requireProgram } from "../shared/program/program.ts";
import { openSession } from "./session.ts";
import { program } from "./program.ts";

export function management(context: AgentContext): AgentManagement {
  const command = commandsOf(program, context);
  /** Arguments after `--cli` are for the bundled Claude Code. */
  const cli = (...args: string[]) => command("--cli", ...args);
  const home = context.env["CLAUDE_CONFIG_DIR"] || join(context.env["HOME"] || homedir(), ".claude");
  return {
    login: async () => ({ ...cli("auth", "login"), withoutBrowser }),
    logout: async () => cli("auth", "logout"),
    about: async () => [
      { label: "protocol", value: "ACP on its standard input and output" },
      { label: "settings", value: join(home, "settings.json") },
      { label: "sessions", value: join(home, "projects") },
      { label: "its Claude Code", value: context.env["CLAUDE_CODE_EXECUTABLE"] || "the one it brings" },
    ],
    models: () => askModels(context),
    mcp: { login: async (name) => cli("mcp", "login", name) },
    instead: {
      update: program.updateHelp,
      verify: "Send a short prompt: it has no command that tests a key.",
      "mcp.list": "Run `reins mcp list claude`: it uses the same settings.",
      "mcp.enable": "Send /mcp enable and the server's name.",
      "mcp.disable": "Send /mcp disable and the server's name.",
    },
  };
}

const withoutBrowser =
  "It shows an address to open on any machine and asks for the code; or set ANTHROPIC_API_KEY, or CLAUDE_CODE_OAUTH_TOKEN.";

async function askModels(context: AgentContext): Promise<readonly ModelInfo[]> {
  const command = await requireProgram(program, context.env);
  return listedModels(openSession(context, { sessionId: "models", cwd: tmpdir(), mode: "read" }, command));
}
