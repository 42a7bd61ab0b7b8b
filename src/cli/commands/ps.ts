import type { Command } from "commander";
import type { RunningAgent } from "../../core/api.ts";
import { addCommand, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { fitted, shortId, shortPath, table } from "../render/table.ts";
import { show } from "../with-status.ts";

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "ps", "List the agents that Reins is running, in every terminal.")
    .option("--json", texts.json)
    .action(({ json }: SharedOptions) => show("Looking", { ending, json }, (reins) => reins.running(), listing));
}

function listing(running: readonly RunningAgent[]): string {
  if (running.length === 0) return "Nothing is running.\n";
  const rows = running.map(({ agent, pid, owner, session, cwd = "", title }) => {
    return [pid, agent, owner, session && shortId(session), shortPath(cwd), title];
  });
  return fitted(table(["pid", "agent", "reins", "session", "folder", "title"], rows));
}
