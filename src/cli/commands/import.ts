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
  const description = "Bring in what the agents themselves keep of their conversations. Their files are only read.";
  addCommand(program, "import", description)
    .argument("[agent]", "only those of this one")
    .option("--cwd <folder>", "those about this folder, instead of the current one")
    .addOption(new Option("--all", "those about every folder").conflicts("cwd"))
    .option("--json", texts.json)
    .action((agent: string | undefined, options: ImportOptions) => importAll(agent, options, ending));
}

async function importAll(agent: string | undefined, options: ImportOptions, ending: AbortSignal): Promise<void> {
  const { all = false, json = false } = options;
  const cwd = all ? undefined : (options.cwd ?? currentFolder());
  const screen = new Screen();
  const counts = { added: 0, grown: 0, known: 0, failed: 0 };
  screen.status("Reading what the agents keep");
  await withReins(async (reins) => {
    for await (const brought of iterateUntil(ending, reins.sessions.import(agent, { cwd }))) {
      counts[brought.outcome]++;
      screen.still();
      if (json) await writeOut(jsonLine(brought));
      else if (brought.outcome !== "known") await writeOut(safeFor(process.stdout)(`${line(brought)}\n`));
      screen.status(`Reading what the agents keep: ${counts.added + counts.grown} sessions`);
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
      ? "No agent keeps a conversation on this machine."
      : "No agent keeps a conversation about this folder. With --all every folder counts.";
  }
  const parts = [
    `${count(added, "session")} brought in`,
    grown > 0 ? `${grown} had grown` : "",
    known > 0 ? `${known} ${known === 1 ? "was" : "were"} here already` : "",
    failed > 0 ? `${failed} could not be read` : "",
  ].filter((part) => part !== "");
  const next = added + grown > 0 ? `\nFind words in them: ${commandName()} search <words>` : "";
  return `${parts.join(", ")}.${next}`;
}
