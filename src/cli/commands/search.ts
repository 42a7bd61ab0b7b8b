import type { Command } from "commander";
import type { Reins } from "../../core/api.ts";
import type { SearchHit } from "../../core/log/types.ts";
import { currentFolder } from "../../process/launch/current-folder.ts";
import { addCommand, positive, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { ago, fitted, shortId, table } from "../render/table.ts";
import { show } from "../with-status.ts";

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "search", "Search the text of all sessions.")
    .argument("<words...>", "all words must occur; prefixes are enough")
    .option("--here", "only in sessions of this folder")
    .option("-a, --agent <id>", "only in sessions of this agent")
    .option("-n, --limit <n>", "maximum number of results (default: 20)", positive)
    .option("--json", texts.json)
    .action((words: string[], { here, agent, limit, json }: SharedOptions) => {
      const filter = { agent, limit, cwd: here === true ? currentFolder() : undefined };
      const search = (reins: Reins) => reins.sessions.search(words.join(" "), filter);
      return show("Searching", { ending, json }, search, listing);
    });
}

function listing(hits: readonly SearchHit[]): string {
  if (hits.length === 0) return "No results.\n";
  const rows = hits.map(({ session: { id, agent }, seq, time, excerpt }) => [
    shortId(id),
    seq,
    ago(time),
    agent,
    excerpt,
  ]);
  return fitted(table(["session", "event", "when", "agent", "where"], rows));
}
