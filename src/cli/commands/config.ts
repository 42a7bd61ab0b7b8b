import type { Command } from "commander";
import type { Setting } from "../../core/config/config-origins.ts";
import { absolutePath } from "../../process/launch/current-folder.ts";
import { settingsIn } from "../../server/settings.ts";
import { addCommand, modeOption, texts, type SharedOptions } from "../command.ts";
import { table } from "../render/table.ts";
import { print } from "../with-status.ts";

export function register(program: Command): void {
  addCommand(program, "config", "Show the effective settings and their origin.")
    .option("-a, --agent <id>", "for this agent")
    .option("-m, --model <name>", "for this model")
    .addOption(modeOption("for this mode"))
    .option("--cwd <folder>", "for this folder instead of the current one")
    .option("--json", texts.json)
    .action(async ({ json, cwd = ".", ...flags }: SharedOptions) => {
      const { settings, remarks } = await settingsIn(absolutePath(cwd), process.env, flags);
      await print(settings, { json }, (all) => page(all, remarks));
    });
}

function page(settings: readonly Setting[], remarks: readonly string[]): string {
  const rows = settings.map(({ key, value, from, where, ignored }) => ({
    cells: [key, valueOf(key, value), where === undefined ? sources[from] : `${sources[from]}, ${where}`],
    below: ignored === undefined ? undefined : `→ ignored: ${ignored}`,
  }));
  return [table(["key", "value", "from"], rows), ...remarks.map((remark) => `\n${remark}\n`)].join("");
}

function valueOf(key: string, value: unknown): string {
  if (value === null) return unsaid[key] ?? "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const unsaid: Readonly<Record<string, string>> = { agent: "the first that is ready", model: "the agent's own" };

const sources = {
  default: "the default",
  person: "you",
  project: "the project",
  variable: "a variable",
  flag: "this command line",
} as const satisfies Record<Setting["from"], string>;
