import type { Command } from "commander";
import type { ModelContext } from "../../agents/contract.ts";
import type { Mode } from "../../events/modes.ts";
import { addCommand, modeOption } from "../command.ts";
import type { CommandContext } from "../command.ts";
import { print, withStatus } from "../with-status.ts";

interface ContextOptions {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: Mode;
  readonly cwd?: string;
  readonly prompt?: string;
  readonly json?: boolean;
}

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "context", "What would be sent to the model now: instructions, tools, messages. Nothing is sent.")
    .argument("[state]", "of the session with this state; otherwise of a fresh one")
    .option("-a, --agent <id>", "the agent of a fresh one")
    .option("-m, --model <name>", "with this model")
    .addOption(modeOption("in this mode"))
    .option("--cwd <folder>", "the folder to work in, instead of this one")
    .option("--prompt <text>", "with this as the next prompt")
    .option("--json", "print it as one line of JSON")
    .action(async (resume: string | undefined, options: ContextOptions) => {
      const { agent, model, mode, cwd, prompt } = options;
      const found = await withStatus("Putting it together", ending, (reins) =>
        reins.context({ agent, model, mode, cwd, prompt, resume }),
      );
      await print([found], options, ([one]) => pageOf(one!));
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
