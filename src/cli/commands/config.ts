import { realpath } from "node:fs/promises";
import type { Command } from "commander";
import { agentEntries } from "../../agents/index.ts";
import { withVariables } from "../../core/catalog/configured-agents.ts";
import { settingsOf } from "../../core/config/config-origins.ts";
import type { Setting } from "../../core/config/config-origins.ts";
import { loadConfiguration } from "../../core/config/config.ts";
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { createRedactor } from "../../events/redact.ts";
import { absolutePath } from "../../process/launch/current-folder.ts";
import { addCommand, modeOption, texts } from "../command.ts";
import { table } from "../render/table.ts";
import { print } from "../with-status.ts";

interface ConfigOptions {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: Mode;
  readonly cwd?: string;
  readonly json?: boolean;
}

export function register(program: Command): void {
  addCommand(program, "config", "Each setting that counts, and where it comes from.")
    .option("-a, --agent <id>", "as it would be with this agent")
    .option("-m, --model <name>", "with this model")
    .addOption(modeOption("in this mode"))
    .option("--cwd <folder>", "in this folder, instead of this one")
    .option("--json", texts.json)
    .action(async ({ json, cwd = ".", ...flags }: ConfigOptions) => {
      const { env } = process;
      const loaded = await loadConfiguration(await folderOf(cwd), env);
      const { agents: configured = {} } = loaded;
      const agents = [...new Set([...agentEntries.map(({ id }) => id), ...Object.keys(configured)])];
      const redact = createRedactor(withVariables(env, configured));
      const settings = redact.deep(settingsOf({ loaded, env, agents, flags }));
      await print(settings, { json }, (all) => page(all, loaded.remarks));
    });
}

/** As a session there would see it: a project's file is looked for above the folder itself, and not above a link to it. */
async function folderOf(cwd: string): Promise<string> {
  const path = absolutePath(cwd);
  return realpath(path).catch(() => {
    throw new ReinsError("invalid_input", `The folder ${path} does not exist.`);
  });
}

function page(settings: readonly Setting[], remarks: readonly string[]): string {
  const rows = settings.map(({ key, value, from, where, ignored }) => ({
    cells: [key, valueOf(key, value), whence(from, where)],
    below: ignored === undefined ? undefined : `→ does not count: ${ignored}`,
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

function whence(from: Setting["from"], where: string | undefined): string {
  return where === undefined ? sources[from] : `${sources[from]}, ${where}`;
}
