/** The command line of a Codex too old for the app server: one process a prompt, which asks nobody. */
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { OpenOptions } from "../contract.ts";
import { allowed } from "./launch.ts";
import { program } from "./program.ts";

const sandboxes: Partial<Record<Mode, string>> = { read: "read-only", full: "danger-full-access" };

/** It never asks, whatever its settings say. */
export const oneShotMode = (mode: Mode): string => `${sandboxes[mode]}, never`;

/** Throws for a mode in which somebody would have to be asked: `exec` refuses what it would have to ask about. */
export function oneShotArguments(options: OpenOptions, resume: string | undefined): string[] {
  const { mode, model, extraArgs = [] } = options;
  const sandbox = sandboxes[mode];
  if (sandbox === undefined || options.fork === true)
    throw new ReinsError(
      "unsupported",
      `This Codex is too old for ${sandbox === undefined ? `mode ${mode}` : "a fork"}.`,
      {
        agent: program.id,
        help: `${program.updateHelp} Or choose mode read or full.`,
      },
    );
  return [
    "exec",
    ...(resume === undefined ? [] : ["resume"]),
    "--json",
    "--skip-git-repo-check",
    ...(model === undefined ? [] : ["-m", model]),
    // `resume` has no flag for it.
    "-c",
    `sandbox_mode="${sandbox}"`,
    ...allowed(extraArgs),
    ...(resume === undefined ? [] : [resume]),
    // The prompt comes over stdin.
    "-",
  ];
}
