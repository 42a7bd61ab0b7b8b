import type { Command } from "commander";
import { ReinsError } from "../../events/errors.ts";
import { currentFolder } from "../../process/launch/current-folder.ts";
import { repositoryLine } from "../../view/repository.ts";
import { addCommand, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { show } from "../with-status.ts";

export function register(program: Command, { ending }: CommandContext): void {
  addCommand(program, "repo", "The repository of this folder: branch, pull request, and what to do next.")
    .option("--cwd <folder>", "another folder")
    .option("--json", texts.json)
    .action(({ cwd = currentFolder(), json }: SharedOptions) =>
      show(
        "Asking git",
        { ending, json },
        async (reins) => {
          const found = await reins.repository({ cwd });
          if (found !== undefined) return [found];
          throw new ReinsError("invalid_input", `${cwd} is not in a git work tree, or git is not installed.`);
        },
        ([found]) => `${repositoryLine(found!)}\n`,
      ),
    );
}
