import { Option } from "commander";
import type { Command } from "commander";
import { exportFormats } from "../view/export-formats.ts";
import type { ExportCommand } from "./export.ts";
import type { ImportCommand } from "./import.ts";

/** Sessions on their way out and in. */
export function addHistory(program: Command, ending: AbortSignal): void {
  program
    .command("export")
    .description("A session to take along: as Markdown, as one page, or as its events.")
    .argument("<session>", "its id or the beginning of it, the agent's own id, or `last`: the last one in this folder")
    .addOption(new Option("-f, --format <format>", "how; else as the file's name says, else md").choices(exportFormats))
    .option("-o, --output <file>", "into this file, instead of stdout")
    .option("--thoughts", "also what the agent thought; the events always have it")
    .helpOption("-h, --help", "this help")
    .action(async (name: string, options: ExportCommand) => {
      const { exportOne } = await import("./export.ts");
      await exportOne(name, options, ending);
    });

  program
    .command("import")
    .description("Bring in what the agents themselves keep of their conversations. Their files are only read.")
    .argument("[agent]", "only those of this one")
    .option("--cwd <folder>", "those about this folder, instead of the current one")
    .addOption(new Option("--all", "those about every folder").conflicts("cwd"))
    .option("--json", "print one line of JSON each")
    .helpOption("-h, --help", "this help")
    .action(async (agent: string | undefined, options: ImportCommand) => {
      const { importAll } = await import("./import.ts");
      await importAll(agent, options, ending);
    });
}
