/** An agent for tests of management and declarations; it cannot be opened unless a test says how. */
import type { Agent, AgentEntry, AgentManagement, Readiness } from "../../src/agents/contract.ts";
import { noCapabilities } from "../../src/events/capabilities.ts";

export interface ManagedAgent {
  /** The result of its probe; the test may change it. */
  readonly found?: Partial<Readiness>;
  readonly keys?: readonly string[] | undefined;
  readonly open?: Agent["open"];
  readonly capabilities?: Partial<Agent["capabilities"]>;
}

export function managedAgent(
  id: string,
  manage: AgentManagement,
  { found = {}, keys, open, capabilities = {} }: ManagedAgent = {},
): AgentEntry {
  const name = id[0]!.toUpperCase() + id.slice(1);
  const agent: Agent = {
    id,
    name,
    capabilities: { ...noCapabilities, modes: ["ask", "plan"], ...capabilities },
    probe: async () => ({ ready: true, installed: true, signedIn: "yes", version: "1.2.3", ...found }),
    open: open ?? (() => Promise.reject(new Error("It is never opened."))),
    manage,
    ...(keys !== undefined && { keyVariables: keys }),
  };
  return { id, name, load: async () => ({ createAgent: () => agent }) };
}
