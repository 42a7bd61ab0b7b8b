import { Argument, Option, type Command } from "commander";
import { ReinsError } from "../../../events/errors.ts";
import { addCommand } from "../../command.ts";
import { writeOut } from "../../render/screen.ts";
import { asked, completedOf, type Asked } from "./words.ts";

export const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

const installHelp = `
bash   eval "$(reins completion bash)"   in ~/.bashrc
zsh    eval "$(reins completion zsh)"    in ~/.zshrc, after compinit
fish   reins completion fish > ~/.config/fish/completions/reins.fish
`;

export function register(program: Command): void {
  const description = "Print a script that completes commands, options, agents and models in your shell.";
  addCommand(program, "completion", description)
    .addArgument(new Argument("[shell]", "which shell").choices(shells))
    .addOption(new Option("--values <kind>").choices(asked).hideHelp())
    .addHelpText("after", installHelp)
    .action((shell: Shell | undefined, { values }: { values?: Asked }) =>
      values === undefined ? printScript(program, shell) : printValues(values),
    );
}

/** Prints the current names, for a shell's completion script. */
async function printValues(kind: Asked): Promise<void> {
  const { valuesOf } = await import("./values.ts");
  // Leave out names that a shell could interpret.
  const names = (await valuesOf(kind)).filter((name) => /^[\w.:@/+-]+$/.test(name));
  await writeOut([...new Set(names)].map((name) => `${name}\n`).join(""));
}

async function printScript(program: Command, shell: Shell | undefined): Promise<void> {
  if (shell === undefined)
    throw new ReinsError("invalid_input", "The name of a shell is missing.", {
      help: `Choose one of ${shells.join(", ")}: \`reins completion bash\`.`,
    });
  await writeOut(await scriptOf(program, shell));
}

export async function scriptOf(program: Command, shell: Shell): Promise<string> {
  const { scripts } = await import("./scripts.ts");
  return scripts[shell](completedOf(program));
}
