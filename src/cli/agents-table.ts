import type { AgentStatus } from "../core/api.ts";
import { commandName } from "./command-name.ts";
import { table } from "./table.ts";

/** Every agent, whether it can be used, and what to do when it cannot. */
export function agentsTable(found: readonly AgentStatus[]): string {
  const rows = found.map((status) => ({
    cells: [
      status.experimental ? `${status.id} (experimental)` : status.id,
      status.ready ? "yes" : "no",
      status.version ?? "",
      signedIn(status),
      place(status),
    ],
    below: status.help === undefined ? undefined : `→ ${status.help}`,
  }));
  const command = commandName();
  const hint = `\nSend a prompt: ${command} run -a <agent> "..."\nModels and modes: ${command} agents <agent>\n`;
  return table(["agent", "ready", "version", "signed in", "found"], rows) + hint;
}

export function place({ builtIn, path, installed }: AgentStatus): string {
  return builtIn === true ? "built in" : (path ?? (installed ? "yes" : "no"));
}

export function signedIn({ builtIn, signedIn: state, signedInHow, installed }: AgentStatus): string {
  if (builtIn === true) return "not needed";
  return signedInHow ?? (installed ? state : "");
}
