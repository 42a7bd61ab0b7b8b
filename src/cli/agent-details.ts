import type { ModelInfo } from "../agents/contract.ts";
import type { AgentStatus } from "../core/api.ts";
import { place, signedIn } from "./agents-table.ts";

/** One agent with all that is known of it. */
export function agentDetails(status: AgentStatus): string {
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ["ready", [status.ready ? "yes" : "no"]],
    ["version", status.version === undefined ? [] : [status.version]],
    ["signed in", signedIn(status) === "" ? [] : [signedIn(status)]],
    ["found", [place(status)]],
    ["modes", [status.capabilities.modes.join(", ")]],
    ["models", modelLines(status.models ?? [])],
  ];
  const lines = facts.flatMap(([name, values]) =>
    values.map((value, index) => `  ${(index === 0 ? name : "").padEnd(9)}  ${value}`),
  );
  const help = status.help === undefined ? [] : [`→ ${status.help}`];
  return `${[`${status.name} (${status.id})`, ...lines, ...help].join("\n")}\n`;
}

function modelLines(models: readonly ModelInfo[]): readonly string[] {
  const width = Math.max(0, ...models.map(({ id }) => id.length));
  return models.map(({ id, label, description }) => {
    const about = [label === id ? undefined : label, description].filter((part) => part !== undefined).join(": ");
    return `${id.padEnd(width)}  ${about}`.trimEnd();
  });
}
