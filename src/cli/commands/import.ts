import { Option, type Command } from "commander";
import type { ImportResult } from "../../core/api.ts";
import { currentFolder } from "../../process/launch/current-folder.ts";
import { jsonLine } from "../../view/json-line.ts";
import { count } from "../../view/labels.ts";
import { addCommand, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { commandName } from "../installation.ts";
import { Screen, writeOut } from "../render/screen.ts";
import { ago, shortId } from "../render/table.ts";
import { safeFor } from "../render/text.ts";
import { iterateUntil } from "../signals.ts";
import { withReins } from "../with-status.ts";

interface ImportOptions extends SharedOptions {
  readonly all?: boolean;
}

export function register(program: Command, { ending }: CommandContext): void {
  const description = "Import the conversations that agents store themselves. Their files are only read.";
  addCommand(program, "import", description)
    .argument("[agent]", "only from this agent")
    .option("--cwd <folder>", "those of this folder instead of the current one")
    .addOption(new Option("--all", "those of all folders").conflicts("cwd"))
    .option("--json", texts.json)
    .action((agent: string | undefined, options: ImportOptions) => importAll(agent, options, ending));
}

async function importAll(agent: string | undefined, options: ImportOptions, ending: AbortSignal): Promise<void> {
  const { all = false, json = false } = options;
  const cwd = all ? undefined : (options.cwd ?? currentFolder());
  const screen = new Screen();
  const counts = { added: 0, grown: 0, known: 0, failed: 0 };
  screen.status("Reading the agents' files");
  await withReins(async (reins) => {
    for await (const brought of iterateUntil(ending, reins.sessions.import(agent, { cwd }))) {
      counts[brought.outcome]++;
      screen.still();
      if (json) await writeOut(jsonLine(brought));
      else if (brought.outcome !== "known") await writeOut(safeFor(process.stdout)(`${line(brought)}\n`));
      screen.status(`Reading the agents' files: ${counts.added + counts.grown} sessions`);
    }
  }).finally(() => screen.still());
  if (!json) screen.line(summary(counts, all));
}

function line({ outcome, agent, session, updatedAt, cwd, title, message, nativeId }: ImportResult): string {
  const id = session === undefined ? nativeId : shortId(session.id);
  const what = message ?? title ?? session?.title ?? "";
  return [outcome, id, agent, ago(updatedAt), cwd, what].filter((part) => part !== "").join("  ");
}

function summary({ added, grown, known, failed }: Record<ImportResult["outcome"], number>, all: boolean): string {
  if (added + grown + known + failed === 0) {
    return all
      ? "No agent has conversations on this machine."
      : "No agent has conversations in this folder. Use --all for every folder.";
  }
  const parts = [
    `${count(added, "session")} imported`,
    grown > 0 ? `${grown} updated` : "",
    known > 0 ? `${known} unchanged` : "",
    failed > 0 ? `${failed} could not be read` : "",
  ].filter((part) => part !== "");
  const next = added + grown > 0 ? `\nSearch them: ${commandName()} search <words>` : "";
  return `${parts.join(", ")}.${next}`;
}
