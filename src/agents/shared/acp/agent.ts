/** An agent from nothing but a command that speaks ACP. */
import { decodeState, openAcp } from "../../../protocols/acp/index.ts";
import type { AcpAgentOptions } from "../../../protocols/acp/index.ts";
import type { Capabilities } from "../../../events/capabilities.ts";
import { childEnvironment, findCommand } from "../../../process/index.ts";
import type { Agent, AgentContext, AgentSession, OpenOptions, Readiness } from "../../contract.ts";
import { capabilitiesWith } from "./capabilities.ts";
import { acpFailures } from "./failures.ts";
import { acpManagement } from "./manage.ts";

export interface AcpAgentConfig {
  readonly id: string;
  readonly name: string;
  /** A path or a name on PATH. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Variables it is given. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of variables it is given as they are, beside those every program gets: its keys. */
  readonly variables?: readonly string[] | undefined;
  readonly quirks?: AcpAgentOptions | undefined;
  /** What it is known to do otherwise than any agent. */
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
  { id, name, command, args = [], env, variables }: AcpAgentConfig,
  quirks: AcpAgentOptions,
  options: OpenOptions,
): Promise<AgentSession> {
  const resume = options.state === undefined ? undefined : decodeState(id, name, options.state);
  const child = await context.processes.launch({
    command,
    args: [...args, ...(options.extraArgs ?? [])],
    cwd: options.cwd,
    env: { ...childEnvironment(context.env, { names: variables, set: env }), ...options.env },
    agent: id,
    sessionId: options.sessionId,
    stdin: "pipe",
  });
  const { deadlines, limits } = context;
  return openAcp({
    ...options,
    child,
    name,
    agent: id,
    quirks,
    failures: acpFailures({ agent: id, name }),
    deadlines,
    limits,
    resume,
  });
}

/** Without starting it: whether anybody is signed in, only a session tells. */
async function probe(context: AgentContext, { command, name }: AcpAgentConfig): Promise<Readiness> {
  const found = await findCommand(command, context.env);
  const unknown = { signedIn: "unknown" } as const;
  if (found === undefined)
    return { ...unknown, ready: false, installed: false, help: `Install ${name}: ${command} was not found.` };
  if (!found.executable)
    return { ...unknown, ready: false, installed: false, path: found.path, help: `Make ${found.path} executable.` };
  return { ...unknown, ready: true, installed: true, path: found.path };
}
