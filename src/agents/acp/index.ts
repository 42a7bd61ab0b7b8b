/** Any agent that speaks ACP, by its command line (`acp:goose acp`) or by the name of a known one (`acp:goose`). */
import { basename } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import type { Agent, AgentContext, ManagementAction } from "../contract.ts";
import { createAcpAgent } from "../shared/acp/agent.ts";
import { capabilitiesWith } from "../shared/acp/capabilities.ts";
import { parseCommandLine, type Command } from "../../process/launch/command-line.ts";
import { knownCommands } from "./known.ts";

export { createAcpAgent, type AcpAgentConfig } from "../shared/acp/agent.ts";

const prefix = "acp:";
const help = "Name the command of an agent that speaks ACP, such as `acp:goose acp`.";

export function createAgent(context: AgentContext, id = "acp"): Agent {
  const line = id.startsWith(prefix) ? id.slice(prefix.length).trim() : "";
  if (line === "") return withoutCommand();
  const known = Object.hasOwn(knownCommands, line) ? knownCommands[line] : undefined;
  const { command, args } = parseCommandLine(known?.line ?? line);
  return createAcpAgent(context, {
    id,
    name: known?.name ?? nameOf({ command, args }),
    command,
    args,
    variables: variablesOf(context.env),
  });
}

/** Variables that the user passes on to the agent, such as its keys. */
function variablesOf(env: AgentContext["env"]): string[] {
  return (env["REINS_ACP_ENV"] ?? "").split(/[\s,]+/).filter((name) => name !== "");
}

/** The name of the program, or of the script that `node`, `npx` and the like start. */
function nameOf({ command, args }: Command): string {
  const program = basename(command);
  const starts = /^(?:node|npx|bunx?|uvx?|deno|python3?)$/.test(program);
  const started = starts ? args.find((arg) => !arg.startsWith("-")) : undefined;
  return started === undefined ? program : basename(started);
}

const instead: Readonly<Record<ManagementAction, string>> = {
  login: help,
  logout: help,
  update: help,
  interface: help,
  about: help,
  models: help,
  verify: help,
  history: help,
  createConversation: help,
  hooks: help,
  "mcp.list": help,
  "mcp.tools": help,
  "mcp.enable": help,
  "mcp.disable": help,
  "mcp.login": help,
};

/** The prefix without a command, which only says what to do. */
function withoutCommand(): Agent {
  return {
    id: "acp",
    name: "Any ACP agent",
    capabilities: capabilitiesWith({}),
    probe: () => Promise.resolve({ ready: false, installed: false, signedIn: "unknown", help }),
    open: () =>
      Promise.reject(new ReinsError("invalid_input", "acp needs the command of an agent.", { agent: "acp", help })),
    manage: { instead },
  };
}
