import type { Command } from "commander";
import type { Reins } from "../../core/api.ts";
import { ReinsError } from "../../events/errors.ts";
import { currentFolder } from "../../process/launch/current-folder.ts";
import type { RepositoryActionResult } from "../../view/repository-actions.ts";
import { repositoryLine } from "../../view/repository.ts";
import { agreed } from "../ask/terminal.ts";
import { addCommand, collect, modeOption, texts, type CommandContext, type SharedOptions } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { Screen } from "../render/screen.ts";
import { print, show, withStatus } from "../with-status.ts";
import { run } from "./run.ts";

interface RepoOptions extends SharedOptions {
  /** The name of the action; true for the next step. */
  readonly do?: string | true;
  readonly yes?: boolean;
  readonly reviewer?: readonly string[];
}

export function register(program: Command, { ending, finish }: CommandContext): void {
  addCommand(program, "repo", "Show the repository of this folder: branch, pull request, and next step.")
    .option("--cwd <folder>", "the folder instead of the current one")
    .option("--do [action]", "run the next step, or the named one, after confirmation")
    .option("-y, --yes", "with --do: run the commands without asking")
    .option("--reviewer <login>", "with --do request-review: a reviewer; may be repeated", collect)
    .option("-a, --agent <id>", "with --do: send it to this agent as a prompt")
    .option("-m, --model <name>", "with --agent: the model")
    .addOption(modeOption("with --agent: what it may do without asking"))
    .option("--json", texts.json)
    .action(async (options: RepoOptions) => {
      if (options.do !== undefined) return finish(await act(options, ending));
      const { cwd = currentFolder(), json } = options;
      return show(
        "Asking git",
        { ending, json },
        async (reins) => {
          const found = await reins.repository({ cwd });
          if (found !== undefined) return [found];
          throw new ReinsError("invalid_input", `${cwd} is not in a git work tree, or git is not installed.`);
        },
        ([found]) => `${repositoryLine(found!)}\n`,
      );
    });
}

/** Runs `reins repo --do`. */
async function act(options: RepoOptions, ending: AbortSignal): Promise<Exit> {
  const { cwd = currentFolder(), json, agent, model, mode, yes = false, reviewer: reviewers } = options;
  const screen = new Screen();
  const request = {
    ...{ cwd, reviewers, skill: options.do === true ? undefined : options.do },
    as: agent === undefined ? undefined : ("prompt" as const),
  };
  const ask = (confirmed: object = {}) =>
    withStatus("Asking git", ending, (reins: Reins) => reins.repositoryAction({ ...request, ...confirmed }));
  const found = await ask();
  if (found.kind === "prompt") {
    for (const note of found.notes) screen.line(note, "dim");
    if (agent === undefined) return printed(found, json);
    if (found.source.from === "project" && !yes) {
      screen.line(`This text came with the repository, in ${found.source.path}:\n\n${found.text}\n`);
      if (!(await agreed(screen, `Send it to ${agent}? [y/N] `, ending))) return "denied";
    }
    return run([found.text], { agent, model, mode, cwd, json } as SharedOptions, ending);
  }
  if (json === true && !yes) return printed(found, json);
  screen.line(found.shown);
  if (!yes && !(await agreed(screen, "Run it? [y/N] ", ending))) return "denied";
  const ran = await ask({ skill: found.skill, confirm: true, shown: found.shown });
  await printed(ran, json);
  return ran.kind === "ran" && ran.exitCode === 0 ? "done" : "failed";
}

async function printed(result: RepositoryActionResult, json: boolean | undefined): Promise<Exit> {
  await print([result], { json }, () =>
    result.kind === "prompt" ? `${result.text}\n` : result.kind === "ran" ? `${result.output}\n` : `${result.shown}\n`,
  );
  return "done";
}
