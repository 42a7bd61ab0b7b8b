import type { AboutFact } from "../agents/contract.ts";
import type { AgentStatus } from "../core/api.ts";
import { place, signedIn } from "./agents-table.ts";
import { modelLines } from "./model-lines.ts";
import { flat } from "./table.ts";

/** One agent with all that is known of it. */
export function agentDetails(status: AgentStatus, about: readonly AboutFact[] = []): string {
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ["ready", [status.ready ? "yes" : "no"]],
    ["version", status.version === undefined ? [] : [versionOf(status)]],
    ["signed in", signedIn(status) === "" ? [] : [signedIn(status)]],
    ["keys set", status.keysSet ?? []],
    ["found", [place(status), ...(status.others ?? []).map((path) => `${path} (not used: it is later on PATH)`)]],
    ...about.map(({ label, value }) => [label, [value]] as const),
    ["modes", [status.capabilities.modes.join(", ")]],
    ["hooks", hookLines(status)],
    ["models", modelLines(status.models ?? [])],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.flatMap(([name, values]) =>
    values.map((value, index) => `  ${(index === 0 ? name : "").padEnd(width)}  ${flat(value)}`),
  );
  const help = status.help === undefined ? [] : [`→ ${status.help}`];
  return `${[`${status.name} (${status.id})`, ...lines, ...help].join("\n")}\n`;
}

function hookLines({ capabilities: { hooks } }: AgentStatus): readonly string[] {
  const words = { fires: "fire", silent: "do not fire", unknown: "not known" } as const;
  return (["fires", "silent", "unknown"] as const).flatMap((which) => {
    const names = hooks?.[which] ?? [];
    return names.length === 0 ? [] : [`${words[which]}: ${names.join(", ")}`];
  });
}

function versionOf({ version = "", testedVersion }: AgentStatus): string {
  return testedVersion === undefined || testedVersion === version
    ? version
    : `${version} (Reins is tested with ${testedVersion})`;
}
