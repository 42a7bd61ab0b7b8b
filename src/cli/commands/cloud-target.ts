/** The cloud target of a folder: asked for once and remembered; `reins cloud target` shows and changes it. */
import type { Command } from "commander";
import { noRepository, requireReady } from "../../commands/cloud.ts";
import type { Reins } from "../../core/api.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import { targetWords, type CloudTarget } from "../../view/cloud.ts";
import { findTerminal, isYes, type Terminal } from "../ask/terminal.ts";
import { texts, type SharedOptions } from "../command.ts";
import { commandName } from "../installation.ts";
import type { Screen } from "../render/screen.ts";
import { show } from "../with-status.ts";

export interface TargetOptions extends SharedOptions {
  readonly repo?: string;
  readonly ref?: string;
  readonly branch?: string;
  readonly pullRequest?: string;
  readonly pr?: boolean;
}

interface Asking {
  readonly agent: string;
  readonly screen: Screen;
  readonly ending: AbortSignal;
}

export function registerTarget(add: (name: string, description: string) => Command, ending: AbortSignal): void {
  add("target", "Show or change the repository that cloud agents of this folder work on.")
    .option("--repo <address>", "the repository")
    .option("--ref <ref>", "the branch or commit to start from; empty: the default branch")
    .option("--branch <name>", "the branch to push to; empty: the service chooses one")
    .option("--pr", "open a pull request when done")
    .option("--no-pr", "do not open a pull request")
    .option("--forget", "forget it and ask again next time")
    .option("--cwd <folder>", "for this folder instead of the current one")
    .option("--json", texts.json)
    .action((options: TargetOptions & { readonly forget?: boolean }) => {
      const { json, cwd, forget } = options;
      return show(
        "Asking git",
        { ending, json },
        async (reins) => {
          const changed = flagsOf(options);
          if (forget === true) await reins.saveCloudTarget(undefined, { cwd });
          else if (Object.keys(changed).length > 0) {
            const { remembered, suggested } = await reins.cloudTarget({ cwd });
            await reins.saveCloudTarget({ ...(remembered ?? suggested), ...changed }, { cwd });
          }
          return [await reins.cloudTarget({ cwd })];
        },
        ([found]) => {
          const { remembered, suggested, note } = found!;
          const chosen = remembered === undefined ? "not set; git suggests " : "";
          return `${chosen}${targetWords(remembered ?? suggested)}\n${note === undefined ? "" : `${note}\n`}`;
        },
      );
    });
}

/** The target options that were given on the command line. */
function flagsOf({ repo, ref, branch, pr }: TargetOptions): CloudTarget {
  const named = { repository: repo, ref, branch, createPr: pr };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** Target of `reins cloud run`: the options, then the remembered target. Asks nobody; the agent decides about the rest. */
export async function rememberedTarget(reins: Reins, options: TargetOptions, _asking: Asking): Promise<CloudTarget> {
  const flags = flagsOf(options);
  // The remembered branches do not apply to another repository or to a pull request.
  if (flags.repository !== undefined || options.pullRequest !== undefined) return flags;
  return { ...(await reins.cloudTarget({ cwd: options.cwd })).remembered, ...flags };
}

/** Target of `reins run "& prompt"`: the remembered one, else the user's answers, else git's suggestion. */
export async function chosenTarget(reins: Reins, { cwd }: TargetOptions, asking: Asking): Promise<CloudTarget> {
  const { remembered, suggested, note } = await reins.cloudTarget({ cwd });
  if (remembered?.repository !== undefined) return remembered;
  using terminal = findTerminal();
  if (terminal !== undefined) {
    await requireReady(reins, asking.agent);
    if (note !== undefined) asking.screen.line(note, "yellow");
    return await askTarget(reins, suggested, { ...asking, terminal, cwd });
  }
  const help = `Choose one for this folder: ${commandName()} cloud target --repo <address>`;
  if (suggested.repository === undefined) throw new ReinsError("invalid_input", noRepository, { help });
  return suggested;
}

async function askTarget(
  reins: Reins,
  suggested: CloudTarget,
  { terminal, screen, ending, cwd }: Asking & { readonly terminal: Terminal; readonly cwd: string | undefined },
): Promise<CloudTarget> {
  const ask = async (question: string, usual: string): Promise<string> => {
    const answer = await terminal.ask(`${question}${usual === "" ? "" : ` [${usual}]`}: `, ending);
    if (answer === undefined) throw new ReinsError("cancelled", "No cloud agent was started.");
    return answer.trim() || usual;
  };
  for (;;) {
    const target = {
      repository: await ask("Repository", suggested.repository ?? ""),
      ref: await ask("Branch or commit to start from", suggested.ref ?? ""),
      branch: await ask("Branch to push to (empty: the service chooses one)", ""),
      createPr: isYes(await ask("Open a pull request when done? y/n", "n")),
    };
    try {
      if (target.repository === "") throw new ReinsError("invalid_input", noRepository);
      await reins.saveCloudTarget(target, { cwd });
      screen.line(`Saved for this folder. Change it with: ${commandName()} cloud target`, "dim");
      return (await reins.cloudTarget({ cwd })).remembered ?? target;
    } catch (thrown) {
      const error = toReinsError(thrown);
      if (error.code !== "invalid_input") throw error;
      screen.line(error.message, "yellow");
    }
  }
}
