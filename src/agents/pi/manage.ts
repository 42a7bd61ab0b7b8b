/** Models, update and folders of pi. Sign-in happens on pi's own screen. */
import { homedir } from "node:os";
import { join } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import type { AboutFact, AgentContext, AgentManagement, ModelInfo } from "../contract.ts";
import { commandsOf, runProgram } from "../shared/program/program-commands.ts";
import { environmentOf, modelsIn, piFolder, program } from "./program.ts";

const noMcp = "pi has no MCP servers of its own; an extension may bring some.";

export function management(context: AgentContext): AgentManagement {
  const command = commandsOf(program, context);
  return {
    update: async () => command("update"),
    interface: async () => command(),
    models: () => listModels(context),
    about: async () => about(context.env),
    instead: {
      login: "Start `pi`, type /login and choose a service; or set its key, such as ANTHROPIC_API_KEY.",
      logout: "Start `pi`, type /logout and choose a service; unset keys in variables where you set them.",
      verify: "Send it a short prompt: pi has no command that tests a key.",
      "mcp.list": noMcp,
      "mcp.enable": noMcp,
      "mcp.disable": noMcp,
      "mcp.login": noMcp,
    },
  };
}

async function listModels(context: AgentContext): Promise<readonly ModelInfo[]> {
  const env = { ...environmentOf(context.env), PI_OFFLINE: "1" };
  const { stdout, code } = await runProgram(program, context, ["--list-models"], { env });
  if (code === 0) return modelsIn(stdout);
  throw new ReinsError("agent_crashed", "pi did not list its models.", {
    agent: "pi",
    help: "Try `pi --list-models`.",
  });
}

function about(env: AgentContext["env"]): readonly AboutFact[] {
  const folder = piFolder(env, env["HOME"] ?? homedir());
  return [
    { label: "settings", value: join(folder, "settings.json") },
    { label: "own models", value: join(folder, "models.json") },
    { label: "conversations", value: env["PI_CODING_AGENT_SESSION_DIR"] || join(folder, "sessions") },
    { label: "extensions", value: join(folder, "extensions") },
  ];
}
