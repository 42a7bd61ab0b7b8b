/** Agents from the user's configuration: commands that speak ACP. */
import { ReinsError } from "../events/errors.ts";
import type { AgentEntry } from "./contract.ts";

export interface ConfiguredAcp {
  /** A command line, split without a shell, or a program and its arguments. */
  readonly acp: string | readonly string[];
  readonly name?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Names of environment variables that the agent inherits, such as its keys. */
  readonly variables?: readonly string[] | undefined;
}

/** Reports an invalid command line when the agent is used and when agents are listed, not here. */
export function entryFor(id: string, { acp, name = id, env, variables }: ConfiguredAcp): AgentEntry {
  return {
    id,
    name,
    experimental: true,
    load: async () => {
      const [{ createAcpAgent }, { parseCommandLine }] = await Promise.all([
        import("./shared/acp/agent.ts"),
        import("../process/launch/command-line.ts"),
      ]);
      const { command, args } = typeof acp === "string" ? parseCommandLine(acp) : programOf(id, acp);
      return { createAgent: (context) => createAcpAgent(context, { id, name, command, args, env, variables }) };
    },
  };
}

function programOf(id: string, [command, ...args]: readonly string[]): { command: string; args: readonly string[] } {
  if (command !== undefined && command !== "") return { command, args };
  throw new ReinsError("invalid_input", `The agent ${id} names no command.`, {
    agent: id,
    help: "Write it as a command line, or as an array of a program and its arguments.",
  });
}
