/** An agent that is just a command that speaks ACP. */
import { decodeState, type AcpAgentOptions } from "../../../protocols/acp/index.ts";
import type { Capabilities } from "../../../events/capabilities.ts";
import { childEnvironment, findCommand } from "../../../process/index.ts";
import type { Agent, AgentContext, AgentManagement, AgentSession, OpenOptions, Readiness } from "../../contract.ts";
import { capabilitiesWith } from "./capabilities.ts";
import { acpFailures } from "./failures.ts";
import { startAcp } from "./start.ts";

export interface AcpAgentConfig {
  readonly id: string;
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of environment variables to pass on, such as its keys, in addition to those every program gets. */
  readonly variables?: readonly string[] | undefined;
  readonly quirks?: AcpAgentOptions | undefined;
  /** Differences from the capabilities of a generic ACP agent. */
  readonly capabilities?: Partial<Capabilities> | undefined;
}

export function createAcpAgent(context: AgentContext, config: AcpAgentConfig): Agent {
  const quirks = config.quirks ?? {};
  return {
    id: config.id,
    name: config.name,
    capabilities: { ...capabilitiesWith(quirks), ...config.capabilities },
    probe: () => probe(context, config),
    open: (options) => open(context, config, quirks, options),
    manage: acpManagement(config.name, config.command),
  };
}

async function open(
  context: AgentContext,
  { id, name, command, args = [], env: set, variables }: AcpAgentConfig,
  quirks: AcpAgentOptions,
  options: OpenOptions,
): Promise<AgentSession> {
  const help = { installHelp: `Install ${name}.`, updateHelp: `Update ${name} the way it was installed.` };
  return startAcp(context, options, {
    program: { id, name, command, ...help },
    command: { path: command, args },
    args: options.extraArgs ?? [],
    env: { ...childEnvironment(context.env, { names: variables, set }), ...options.env },
    quirks,
    failures: acpFailures({ agent: id, name }),
    resume: options.state === undefined ? undefined : decodeState(id, name, options.state),
  });
}

/** Does not start the program. Only a session shows whether it is signed in. */
async function probe(context: AgentContext, { command, name }: AcpAgentConfig): Promise<Readiness> {
  const found = await findCommand(command, context.env);
  const unknown = { signedIn: "unknown" } as const;
  if (found === undefined)
    return { ...unknown, ready: false, installed: false, help: `Install ${name}: ${command} was not found.` };
  if (!found.executable)
    return { ...unknown, ready: false, installed: false, path: found.path, help: `Make ${found.path} executable.` };
  return { ...unknown, ready: true, installed: true, path: found.path };
}

/** ACP has no methods for sign-in or settings, so every action points to the agent's own command. */
function acpManagement(name: string, command: string): AgentManagement {
  const inSettings = `Change it in the settings of ${name}, or pass servers when you open a session (\`mcpServers\`).`;
  return {
    about: async () => [
      { label: "protocol", value: "ACP on its standard input and output" },
      { label: "command", value: command },
    ],
    instead: {
      login: `Sign in with ${name}'s own command, or pass on the variable that holds its key.`,
      logout: `Sign out with ${name}'s own command, or unset the variable that holds its key.`,
      update: `Update ${name} the way it was installed.`,
      models: "Only a session lists them: ask for any model, and the error names the available ones.",
      verify: "Send it a short prompt: ACP has no way to test a key.",
      "mcp.list": `Look into the settings of ${name}: ACP does not list its servers.`,
      "mcp.enable": inSettings,
      "mcp.disable": inSettings,
      "mcp.login": `Sign in to the server with ${name}'s own command.`,
    },
  };
}
