/** Generates docs/agents.md from the declarations in the agents' folders. */
import { agentEntries } from "../../src/agents/index.ts";
import { capabilityRows } from "../../src/events/capability-rows.ts";
import type { AgentStatus } from "../../src/core/api.ts";
import { createReins } from "../../src/core/reins.ts";

export async function agentsPage(): Promise<string> {
  const reins = createReins({ guardian: false, env: {} });
  const agents = await reins.agents();
  await reins.close();
  // Leave out agents from the configuration of the person who runs this.
  const ours = agentEntries.filter(({ family }) => family !== true).map(({ id }) => id);
  const named = agents.filter(({ id }) => ours.includes(id));
  return [
    "# What each agent can do",
    "",
    "Each agent's folder in `src/agents` declares its capabilities. The contract suite proves them with the real program in the version below, or with a stand-in where",
    "the program cannot be installed (`npm run test:real`). `reins doctor --prove` does the same with the program on your machine. `npm run docs` writes this page; a test",
    "compares it with the code.",
    "",
    ...table(
      ["agent", "id", "tested with", "page"],
      named.map((agent) => [agent.name, `\`${agent.id}\``, tested(agent), page(agent)]),
    ),
    "",
    "Any other program that speaks ACP is `acp:<command line>` or an entry in the configuration: see [any ACP agent](agents/acp.md).",
    "",
    "## Capabilities",
    "",
    "`✔` yes, `·` no. Reins refuses an option that an agent does not support, or reports it in a notice `divergence`; it never ignores it silently. The rows `holds` say how far a",
    "call can be held before it runs: `every` call waits for Reins, `unsafe_only` only calls that the agent considers unsafe, `launch_flags` allowed or denied when the agent starts,",
    "`sandbox` it runs inside the agent's own sandbox, `none` it cannot be held. [Security](security.md) explains what this protects against.",
    "",
    ...table(
      ["", ...named.map(({ id }) => id)],
      capabilityRows.map(({ label, of }) => [label, ...named.map(({ capabilities }) => cell(of(capabilities)))]),
    ),
    "",
  ].join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

function cell(value: boolean | string): string {
  return value === true ? "✔" : value === false ? "·" : value;
}

function tested({ builtIn, testedVersion, experimental }: AgentStatus): string {
  // Without an installable program the tests use a stand-in; such an agent stays experimental.
  const without = experimental ? "a stand-in" : "in-process";
  const version = builtIn === true ? "built in" : (testedVersion ?? without);
  return experimental ? `${version} (experimental)` : version;
}

function page({ id, builtIn }: AgentStatus): string {
  return builtIn === true ? "" : `[${id}](agents/${id}.md)`;
}
