import type { Command } from "commander";
import type { Reins } from "../../core/api.ts";
import { loadConfiguration } from "../../core/config/config.ts";
import type { Collected } from "../../core/log/types.ts";
import { currentFolder } from "../../process/launch/current-folder.ts";
import { count } from "../../view/labels.ts";
import { addCommand, positive, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { shortId } from "../render/table.ts";
import { show } from "../with-status.ts";

interface GcOptions extends SharedOptions {
  readonly keepDays?: number;
  readonly maxMb?: number;
  readonly dryRun?: boolean;
}

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "gc", "Delete old data: sessions past the configured age or size, and unused files.")
    .option("--keep-days <n>", "delete sessions unused for this many days", positive)
    .option("--max-mb <n>", "above this many megabytes, delete the least recently used", positive)
    .option("--dry-run", "only show what would be deleted")
    .option("--json", texts.json)
    .action(async (options: GcOptions) => {
      const { store = {} } = await loadConfiguration(currentFolder(), process.env);
      const { keepDays = store.keepDays, maxMb = store.maxMb, dryRun: dry = false } = options;
      const collect = async (reins: Reins) => [await reins.sessions.collect({ keepDays, maxMb, dry })];
      await show("Looking", { ending, json: options.json }, collect, ([one]) => told(one!, dry));
    });
}

function told({ sessions, files, bytesBefore, bytesAfter }: Collected, dry: boolean): string {
  const names = sessions.map(({ id, title, updatedAt }) => `  ${shortId(id)}  ${updatedAt}  ${title ?? ""}\n`).join("");
  const what = `${count(sessions.length, "session")} and ${count(files, "file")}`;
  if (dry) return `Would remove ${what} of ${megabytes(bytesBefore)}.\n${names}`;
  return `Removed ${what}: ${megabytes(bytesBefore)} before, ${megabytes(bytesAfter)} now.\n${names}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
