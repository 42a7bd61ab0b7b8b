import type { Command } from "commander";
import { modeOption, addCommand, texts } from "../command.ts";
import type { CommandContext } from "../command.ts";
import { run } from "./run.ts";
import type { RunOptions } from "./run.ts";

export type ContinueOptions = Pick<RunOptions, "mode" | "model" | "fallback" | "allowUnenforced" | "json">;

export function register(program: Command, { ending, finish }: CommandContext): void {
  const resume = addCommand(program, "resume", "Go on with a session.")
    .argument("[session]", `${texts.session}; without it the last one in this folder`)
    .argument("[prompt...]", "the prompt; without one it is read from stdin");
  addContinueOptions(resume).action(async (name: string | undefined, words: string[], options: ContinueOptions) => {
    // Words that name no session are the beginning of a prompt for the last one.
    const isSession = name !== undefined && /^(?:ses_\S*$|last$|[\w-]+:\d+:|[0-9a-f-]{8,}$)/i.test(name);
    const prompt = name === undefined || isSession ? words : [name, ...words];
    finish(await run(prompt, { ...options, resume: isSession ? name : "last" }, ending));
  });
}

/** The options of commands that prompt a session that is kept. */
export function addContinueOptions(command: Command): Command {
  return command
    .addOption(modeOption("how much it may do without asking; else no more than before"))
    .option("-m, --model <name>", "the model, instead of the one it had")
    .option("--fallback <agents>", "who takes over, in this order, when the agent cannot go on: b,c")
    .option("--allow-unenforced", texts.allowUnenforced)
    .option("--json", texts.events);
}
