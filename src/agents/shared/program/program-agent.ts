/** Builds an agent around a program from the parts in its folder. */
import type { Capabilities } from "../../../events/capabilities.ts";
import type {
  Agent,
  AgentContext,
  AgentManagement,
  AgentSession,
  OpenOptions,
  Proof,
  Readiness,
} from "../../contract.ts";
import { requireProgram, type Command, type Program } from "./program.ts";

export type OpenSession = (context: AgentContext, options: OpenOptions, command: Command) => Promise<AgentSession>;

export interface ProgramAgentParts {
  readonly program: Program;
  readonly capabilities: Capabilities;
  readonly probe: (context: AgentContext) => Promise<Readiness>;
  /** Finds the program when that takes more than its name. Throws `not_installed`. */
  readonly find?: (context: AgentContext) => Promise<Command>;
  readonly openSession: OpenSession;
  readonly management: (context: AgentContext) => AgentManagement;
  readonly keyVariables: readonly string[];
  /** Undefined when the program cannot be pointed at a scripted model. */
  readonly proof?: Proof | undefined;
}

export function programAgent(context: AgentContext, parts: ProgramAgentParts): Agent {
  const { program, capabilities, keyVariables, proof } = parts;
  const find = parts.find ?? (({ env }) => requireProgram(program, env));
  return {
    id: program.id,
    name: program.name,
    capabilities,
    probe: () => parts.probe(context),
    open: async (options) => parts.openSession(context, options, await find(context)),
    manage: parts.management(context),
    keyVariables,
    ...(proof !== undefined && { proof }),
  };
}
