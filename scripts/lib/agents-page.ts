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
    "# The agents",
    "",
    "What each agent can do, as its folder below `src/agents` declares it and the contract suite proves it against the real program in the",
    "version named here, or against a stand-in where none can be had (`npm run test:real`; `reins doctor --prove` does the same with the one installed",
    "on your machine). This page is made by",
    "`npm run docs`; a test compares it with the code.",
    "",
    ...table(
      ["agent", "id", "tested with", "page"],
      named.map((agent) => [agent.name, `\`${agent.id}\``, tested(agent), page(agent)]),
    ),
    "",
    "Any other agent that speaks ACP is `acp:<command line>` or an entry of the configuration: see [ACP](agents/acp.md). What can be promised of",
    "one that nobody wrote a folder for is what its protocol says.",
    "",
    "## Capabilities",
    "",
    "`✔` yes, `·` no. What is not there is refused, or said in a notice `divergence`: it is never silently left out. The words of `holds` are",
    "those of [the vocabulary](events.md): `every` call waits for Reins, `unsafe_only` those the agent itself thinks unsafe, `launch_flags` it is",
    "allowed or not when the agent starts, `sandbox` it runs inside a sandbox of the agent's, `none` it cannot be held.",
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
