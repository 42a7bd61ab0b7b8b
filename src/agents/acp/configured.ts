/** An agent that a person named in the configuration, by the command that speaks ACP. */
import { ReinsError } from "../../events/errors.ts";
import type { AgentEntry } from "../contract.ts";
import { parseCommandLine } from "./command-line.ts";
import type { Command } from "./command-line.ts";

export interface ConfiguredAcp {
  /** A command line without a shell, or a program and its arguments. */
  readonly acp: string | readonly string[];
  readonly name?: string | undefined;
  /** Variables it is given. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of variables it is given as they are: its keys. */
  readonly variables?: readonly string[] | undefined;
}

/** A command line that makes no sense is told when the agent is used, and where agents are listed. */
export function entryFor(id: string, { acp, name = id, env, variables }: ConfiguredAcp): AgentEntry {
  return {
    id,
    name,
    experimental: true,
    load: async () => {
      const { command, args } = commandOf(id, acp);
      const { createAcpAgent } = await import("../shared/acp-agent.ts");
      return { createAgent: (context) => createAcpAgent(context, { id, name, command, args, env, variables }) };
    },
  };
}

function commandOf(id: string, acp: string | readonly string[]): Command {
  if (typeof acp === "string") return parseCommandLine(acp);
  const [command, ...args] = acp;
  if (command === undefined || command === "")
    throw new ReinsError("invalid_input", `The agent ${id} names no command.`, {
      agent: id,
      help: "Write it as a command line, or as an array of a program and its arguments.",
    });
  return { command, args };
}
