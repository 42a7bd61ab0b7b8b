import type { AgentStatus } from "../core/api.ts";
import { createReins } from "../core/reins.ts";
import { commandName } from "./command-name.ts";
import { untilEnding } from "./ending.ts";
import { safeFor } from "./safe-text.ts";
import { Screen, writeOut } from "./screen.ts";
import { table } from "./table.ts";

/** `reins agents`: every agent, whether it can be used, and what to do when it cannot. */
export async function agents(options: { readonly json?: boolean }, ending: AbortSignal): Promise<void> {
  await using reins = createReins();
  const screen = new Screen();
  screen.status("Asking every agent");
  const found = await untilEnding(ending, reins.agents()).finally(() => screen.still());
  await writeOut(options.json === true ? found.map(jsonOf).join("") : safeFor(process.stdout)(agentsTable(found)));
}

function jsonOf({ manage: _commands, ...status }: AgentStatus): string {
  return `${JSON.stringify(status)}\n`;
}

export function agentsTable(found: readonly AgentStatus[]): string {
  const rows = found.map((status) => ({
    cells: [status.id, status.ready ? "yes" : "no", status.version ?? "", signedIn(status), place(status)],
    below: status.help === undefined ? undefined : `→ ${status.help}`,
  }));
  const hint = found.some((status) => status.ready) ? `\nSend a prompt: ${commandName()} run -a <agent> "..."\n` : "";
  return table(["agent", "ready", "version", "signed in", "found"], rows) + hint;
}

function place({ builtIn, path, installed }: AgentStatus): string {
  return builtIn === true ? "built in" : (path ?? (installed ? "yes" : "no"));
}

function signedIn({ builtIn, signedIn: state, signedInHow, installed }: AgentStatus): string {
  if (builtIn === true) return "not needed";
  return signedInHow ?? (installed ? state : "");
}
