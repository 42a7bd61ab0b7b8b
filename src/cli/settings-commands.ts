import { Argument, Option } from "commander";
import type { Command } from "commander";
import { modes } from "../events/modes.ts";
import { shells } from "./completion.ts";
import type { Shell } from "./completion.ts";
import { asked } from "./completion-words.ts";
import type { Asked } from "./completion-words.ts";
import type { ConfigCommand } from "./config.ts";

/** The commands about how Reins is set up. */
export function addSettings(program: Command): void {
  program
    .command("config")
    .description("Each setting that counts, and where it comes from.")
    .option("-a, --agent <id>", "as it would be with this agent")
    .option("-m, --model <name>", "with this model")
    .addOption(new Option("--mode <mode>", "in this mode").choices(modes))
    .option("--cwd <folder>", "in this folder, instead of this one")
    .option("--json", "print one line of JSON each")
    .helpOption("-h, --help", "this help")
    .action(async (options: ConfigCommand) => {
      const { config } = await import("./config.ts");
      await config(options);
    });

  program
    .command("completion")
    .description("Print a script that completes commands, options, agents and models in your shell.")
    .addArgument(new Argument("[shell]", "which shell").choices(shells))
    .addOption(new Option("--values <kind>").choices(asked).hideHelp())
    .helpOption("-h, --help", "this help")
    .addHelpText("after", completionHelp)
    .action(async (shell: Shell | undefined, { values }: { values?: Asked }, command: Command) => {
      const { completion } = await import("./completion.ts");
      await completion(command.parent ?? command, shell, values);
    });
}

const completionHelp = `
bash   eval "$(reins completion bash)"   in ~/.bashrc
zsh    eval "$(reins completion zsh)"    in ~/.zshrc, after compinit
fish   reins completion fish > ~/.config/fish/completions/reins.fish
`;
