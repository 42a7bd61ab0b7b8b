import type { Command } from "commander";
import type { ModelContext } from "../../agents/contract.ts";
import type { Reins } from "../../core/api.ts";
import { addCommand, modeOption, type CommandContext, type SharedOptions } from "../command.ts";
import { show } from "../with-status.ts";

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "context", "Show what would be sent to the model: instructions, tools, messages. Sends nothing.")
    .argument("[state]", "the state of a session (default: a new session)")
    .option("-a, --agent <id>", "the agent of the new session")
    .option("-m, --model <name>", "with this model")
    .addOption(modeOption("in this mode"))
    .option("--cwd <folder>", "the folder to work in instead of the current one")
    .option("--prompt <text>", "the next prompt")
    .option("--json", "print it as one line of JSON")
    .action((resume: string | undefined, options: SharedOptions & { prompt?: string }) => {
      const { agent, model, mode, cwd, prompt, json } = options;
      const ask = async (reins: Reins) => [await reins.context({ agent, model, mode, cwd, prompt, resume })];
      return show("Preparing", { ending, json }, ask, ([one]) => pageOf(one!));
    });
}

function pageOf({ model, system, tools, messages, request }: ModelContext): string {
  const parts = [
    ["Model", model],
    ["System prompt", system],
    [
      `Tools (${tools.length})`,
      tools.map((tool) => `${tool.name}: ${tool.description}\n${indented(tool.inputSchema)}`).join("\n\n"),
    ],
    [`Messages (${messages.length})`, messages.length === 0 ? "None yet." : messages.map(indented).join("\n")],
    ...(request === undefined ? [] : [["Request", `POST ${request.url}\n${indented(request.body)}`]]),
  ];
  return parts.map(([title, text]) => `# ${title}\n\n${text}\n`).join("\n");
}

function indented(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
