/** `reins tui`: the terminal interface with options. */
import type { Command } from "commander";
import { modeOption, type CommandContext } from "../command.ts";
import { openTui, type TuiOptions } from "../open-tui.ts";

export function register(program: Command, { ending, finish }: CommandContext): void {
  program
    .command("tui")
    .description("Open the terminal interface. `reins` alone does the same.")
    .helpOption("-h, --help", "show this help")
    .option("-a, --agent <id>", "the agent, by its id in `reins agents`")
    .option("-m, --model <name>", "the model, by a name of `reins models`")
    .addOption(modeOption("what the agent may do without asking"))
    .option("--cwd <folder>", "the folder to work in instead of the current one")
    .option("--resume [session]", "open a session: its id, or the last one in this folder")
    .option("--fallback <agents>", "agents that take over in this order when the agent cannot continue: b,c")
    .option("--inline", "draw below the shell's output, not on the whole screen")
    .option("--full", "draw on the whole screen")
    .option("--plain", "print line by line: no colours, no cursor movement")
    .option("--screen-reader", "the same as --plain")
    .action(async (options: TuiOptions) => finish(await openTui(options, ending)));
}
