import { ReinsError } from "../../events/errors.ts";
import type { OpenOptions } from "../contract.ts";
import { program } from "./program.ts";

/**
 * Plain lines that are read one by one, answers in one piece (a line that is printed in parts could look like a
 * prompt), and as few questions about updates and news as possible.
 */
const plainScreen = [
  ...["--no-fancy-input", "--no-pretty", "--no-stream"],
  ...["--no-check-update", "--no-show-release-notes", "--no-analytics"],
];

/** Arguments that would answer its questions, or that make it do one thing and exit. */
const refused =
  /^(?:--yes(?:-always)?|--message(?:-file)?|-mf?|--msg|-f|--apply|--commit|--exit|--gui|--browser|--fancy-input|--pretty)(?:=|$)/;

export function argumentsOf({ model, extraArgs = [] }: Pick<OpenOptions, "model" | "extraArgs">): readonly string[] {
  const wrong = extraArgs.find((argument) => refused.test(argument));
  if (wrong !== undefined)
    throw new ReinsError(
      "invalid_input",
      `${program.name} is driven by its screen, so ${wrong} cannot be passed to it.`,
      {
        agent: program.id,
        help: "Leave it out. `reins attach aider -- <arguments>` accepts every argument.",
      },
    );
  return [...plainScreen, ...(model === undefined ? [] : ["--model", model]), ...extraArgs];
}
