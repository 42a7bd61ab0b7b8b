import type { Command } from "commander";
import type { SearchHit } from "../../core/log/types.ts";
import { currentFolder } from "../../process/launch/current-folder.ts";
import { addCommand, positive, texts } from "../command.ts";
import type { CommandContext } from "../command.ts";
import { ago, fitted, shortId, table } from "../render/table.ts";
import { print, withStatus } from "../with-status.ts";

interface SearchOptions {
  readonly here?: boolean;
  readonly agent?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "search", "Find words in what was asked, said, done and changed, in all sessions.")
    .argument("<words...>", "all of them must be there; beginnings of words are enough")
    .option("--here", "only in sessions of this folder")
    .option("-a, --agent <id>", "only in those of this agent")
    .option("-n, --limit <n>", "at most so many places (default: 20)", positive)
    .option("--json", texts.json)
    .action(async (words: string[], { here, agent, limit, json }: SearchOptions) => {
      const cwd = here === true ? currentFolder() : undefined;
      const found = await withStatus("Searching", ending, (reins) =>
        reins.sessions.search(words.join(" "), { agent, limit, cwd }),
      );
      await print(found, { json }, listing);
    });
}

function listing(hits: readonly SearchHit[]): string {
  if (hits.length === 0) return "Nothing was found.\n";
  const rows = hits.map(({ session, seq, time, excerpt }) => ({
    cells: [shortId(session.id), String(seq), ago(time), session.agent ?? "", excerpt],
  }));
  return fitted(table(["session", "event", "when", "agent", "where"], rows));
}
